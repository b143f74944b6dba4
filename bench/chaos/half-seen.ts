import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { conflictAnswer } from './contention.ts';
import type { Fault, Passage, TableAnswer } from './fault.ts';
import type { WireCall } from './table-call.ts';
import { type WireKey, WirePlace, WireTransaction, wireKeyOf, wireKeysOf, wireNameOf } from './wire-key.ts';

/*
 * DynamoDB's transactions are serializable and no more: reads of several items (`BatchGetItem`, `Query`, and
 * two reads one after the other) may see some items of a transaction that is just being committed and not yet
 * the others. The local table commits all at once, so its proxies simulate it: until the writer has its
 * response, readers get some of a transaction's items as they were before. In that time each of these behaves
 * as AWS documents: a write to one is rejected as a conflict, and so is a `TransactGetItems`.
 *
 * A query's filtered items, and an item only removed at the end, are shown in their state by then.
 */

/** Item in wire format. */
type WireItem = z.output<typeof WireItem>;

const WireItem = z.record(z.string(), z.json());
const Batch = z.object({ Responses: z.record(z.string(), z.array(WireItem)) });
const Queried = z.object({ Items: z.array(WireItem) });

/**
 * Chooses the items of a transaction that become visible late, by their keys and indexes among its changes.
 */
export type IsLate = (key: WireKey, place: number) => boolean;

/** Items not yet visible, for all proxies of a table, each in its previous state. */
export class HalfSeen {
  readonly #before = new Map<string, WireItem | undefined>();

  /** Matches calls on an item that is not yet visible: they go to `meet`. */
  readonly meets = ({ operation, input }: WireCall): boolean =>
    this.#before.size > 0 && (READS.has(operation) || wireKeysOf(operation, input).some(this.#isLate));

  /** Handles such a call. */
  readonly meet: Fault = async (passage) => {
    const { operation, input } = passage.call;
    if (operation === 'GetRecords') return this.#tellLater(passage);
    if (!READS.has(operation)) return passage.answer(conflictAnswer(operation, input, this.#isLate));
    const answer = await passage.forward();
    passage.answer(answer.status === 200 ? this.#shown(operation, answer) : answer);
  };

  /** Commits a transaction: some items are visible at once, the others after the given work. */
  commit(isLate: IsLate, meanwhile: (signal: AbortSignal) => Promise<unknown>): Fault {
    return async (passage) => {
      const late = halfSeenChangesIn(passage.call.input).filter(({ key }, place) => isLate(key, place));
      const before = await readBefore(passage, late);
      for (const { key } of late) this.#before.set(wireNameOf(key), before.get(wireNameOf(key)));
      try {
        const answer = await passage.forward();
        if (answer.status === 200) await meanwhile(passage.signal);
        for (const { key } of late) this.#before.delete(wireNameOf(key));
        passage.answer(answer);
      } finally {
        for (const { key } of late) this.#before.delete(wireNameOf(key));
      }
    };
  }

  /** Delays stream records until their changes are visible: the stream never precedes the table. */
  async #tellLater({ forward, answer, signal }: Passage): Promise<void> {
    const answered = await forward();
    const late = [...this.#before.keys()];
    while (late.some((name) => this.#before.has(name))) await pause(20, undefined, { signal });
    answer(answered);
  }

  readonly #isLate = (key: WireKey): boolean => this.#before.has(wireNameOf(key));

  #shown(operation: string, { body, headers, ...answer }: TableAnswer): TableAnswer {
    const read: unknown = JSON.parse(body.toString());
    const { 'x-amz-crc32': _, ...kept } = headers;
    const sent = operation === 'Query' ? this.#inQuery(read) : this.#inBatch(read);
    return { ...answer, headers: kept, body: Buffer.from(JSON.stringify(sent)) };
  }

  #inQuery(read: unknown): unknown {
    const queried = Queried.safeParse(read).data;
    if (!queried) return read;
    const Items = queried.Items.flatMap(this.#asSeen);
    return { ...Object(read), Items, Count: Items.length };
  }

  #inBatch(read: unknown): unknown {
    const { Responses } = Batch.parse(read);
    const shown = Object.entries(Responses).map(([table, items]) => [table, items.flatMap(this.#asSeen)]);
    return { ...Object(read), Responses: Object.fromEntries(shown) };
  }

  readonly #asSeen = (item: WireItem): WireItem | [] => {
    const key = WirePlace.safeParse(item).data;
    const name = key && wireNameOf(wireKeyOf(key));
    return name !== undefined && this.#before.has(name) ? (this.#before.get(name) ?? []) : item;
  };
}

const READS = new Set(['BatchGetItem', 'Query', 'GetRecords']);

/** Reads the items of a transaction in their state before it. */
async function readBefore({ ask }: Passage, late: readonly Change[]): Promise<Map<string, WireItem>> {
  const [first] = late;
  if (!first) return new Map();
  const Keys = late.map(({ key: { pk, sk } }) => ({ pk: { S: pk }, sk: { S: sk } }));
  const { body } = await ask('BatchGetItem', {
    RequestItems: { [first.table]: { Keys, ConsistentRead: true } },
  });
  const items = Batch.parse(JSON.parse(body.toString())).Responses[first.table] ?? [];
  return new Map(items.map((item) => [wireNameOf(wireKeyOf(WirePlace.parse(item))), item]));
}

/** Item changed by a transaction. */
interface Change {
  readonly table: string;
  readonly key: WireKey;
}

/** Lists the items that a transaction changes, in its order. */
function halfSeenChangesIn(input: unknown): Change[] {
  const actions = WireTransaction.safeParse(input).data?.TransactItems ?? [];
  return actions.flatMap(({ Put, Update, Delete }) => {
    const change = Update ?? Delete;
    if (Put) return [{ table: Put.TableName, key: wireKeyOf(Put.Item) }];
    return change ? [{ table: change.TableName, key: wireKeyOf(change.Key) }] : [];
  });
}
