import { isDeepStrictEqual } from 'node:util';
import type { Log } from '#bench/chaos/log.ts';
import { type SyncEntryShape, SyncPageShape } from '#bench/support/sync-page.ts';
import { type Reply, replyOf, sendTo } from '#bin/cli/person.ts';
import { SyncType } from '#lib/records/sync-type.ts';

/** Record of a replica, and its arrival, in milliseconds from the reader's first call. */
export type ReplicaEntry = SyncEntryShape & { readonly ms: number };

/** A minute allows thirty responses without changes. */
const REST_MS = 2_100;

/** Delay before a failed read is retried. */
const RETRY_MS = 300;

/** Reader of a replica. */
interface Reading {
  /** Name of the reader in messages. */
  readonly name: string;
  readonly token: string;
  readonly log: Log;
  /** Codes by which its cursor may end. */
  readonly ends: readonly string[];
}

/**
 * Maintains a replica of a caller's reach, served by any process, and records sync responses that are never
 * allowed.
 */
export class ReplicaReader {
  readonly name: string;
  readonly token: string;
  readonly entries = new Map<string, ReplicaEntry>();
  /** Responses that violate the contract. */
  readonly wrong: string[] = [];
  /** True if the last response left nothing to read. */
  isAtEnd = false;
  pages = 0;
  readonly #log: Log;
  readonly #ends: readonly string[];
  readonly #began = performance.now();
  #cursor: string | undefined;

  constructor({ name, token, log, ends }: Reading) {
    this.name = name;
    this.token = token;
    this.#log = log;
    this.#ends = ends;
  }

  /**
   * Reads a page from a process within a timeout; returns the delay before the next page, in milliseconds.
   */
  async readPage(address: string, patience_ms: number): Promise<number> {
    this.isAtEnd = false;
    const reply = await this.#ask(address, patience_ms);
    if (reply === undefined || reply.status >= 500) return RETRY_MS;
    if (reply.status === 429) return 1000 * Number(reply.headers.get('retry-after') ?? 1);
    if (reply.status === 410) return this.#beginAgain(reply.text('code'));
    const page = SyncPageShape.safeParse(reply.body).data;
    if (page) return this.#keep(page);
    this.wrong.push(`${reply.status} ${JSON.stringify(reply.body)}`);
    return RETRY_MS;
  }

  async #ask(address: string, patience_ms: number): Promise<Reply | undefined> {
    const types = SyncType.options.map((type) => `types[]=${type}`).join('&');
    const from = this.#cursor === undefined ? types : `cursor=${this.#cursor}`;
    try {
      const signal = AbortSignal.timeout(patience_ms);
      const request = `GET /company/sync?${from}&limit=500`;
      const reply = await replyOf(await sendTo(address, request, { token: this.token, signal }));
      this.#log.note(`copy: ${reply.status}`, { reader: this.name });
      return reply;
    } catch (error) {
      this.#log.note('copy: no answer', { reader: this.name, error: String(error) });
      return undefined;
    }
  }

  /** Applies a page and its cursor together: after a loss the page is read again. */
  #keep({ data, cursor, has_more }: SyncPageShape): number {
    for (const entry of data) this.#take(entry);
    this.#cursor = cursor;
    this.isAtEnd = !has_more;
    this.pages += 1;
    return has_more ? 0 : REST_MS;
  }

  #take(entry: SyncEntryShape): void {
    const key = nameOf(entry);
    const known = this.entries.get(key);
    const goesBack = known !== undefined && entry.revision < known.revision;
    if (goesBack) this.wrong.push(`${key} went back from revision ${known.revision} to ${entry.revision}`);
    if (known?.revision === entry.revision && !isDeepStrictEqual(known.record, entry.record)) {
      const [was, is] = [known.record, entry.record].map((record) => JSON.stringify(record));
      this.wrong.push(`${key} is another at the same revision ${entry.revision}: ${was}, then ${is}`);
    }
    if (!goesBack) this.entries.set(key, { ...entry, ms: Math.round(performance.now() - this.#began) });
  }

  /** Starts over without a cursor, as a reader must whose cursor has ended. */
  #beginAgain(code: string): number {
    if (!this.#ends.includes(code)) this.wrong.push(`The cursor has ended: ${code}`);
    this.#cursor = undefined;
    this.entries.clear();
    return 0;
  }
}

function nameOf({ type, id }: Pick<ReplicaEntry, 'type' | 'id'>): string {
  return `${type} ${id}`;
}
