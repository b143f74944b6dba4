import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import * as z from 'zod';
import {
  FIELDS_NOT_SYNCED,
  type SyncEntryShape,
  SyncPageShape,
  SyncRowShape,
} from '#bench/support/sync-page.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { call } from './http.ts';
import { MAX_WAIT_MS } from './patience.ts';

/** All types, in their order. */
export const TYPES: readonly SyncType[] = SyncType.options;

/** Sync options beside the types. */
interface CopyOptions {
  readonly limit?: number;
  readonly types?: readonly SyncType[];
}

/** Replica of a caller's reach, maintained by `GET /company/sync`. */
export class SyncReader {
  readonly #token: string;
  readonly #options: CopyOptions;
  readonly #entries = new Map<string, SyncEntryShape>();
  cursor: string | undefined;
  /** All cursors that were given. */
  readonly cursors: string[] = [];
  /** The entries of each page, as they came. */
  readonly pages: SyncEntryShape[][] = [];

  constructor(token: string, options: CopyOptions = {}) {
    this.#token = token;
    this.#options = options;
  }

  /** Requests the next page. */
  ask() {
    const { types = TYPES, limit = 500 } = this.#options;
    const from = this.cursor === undefined ? typesQuery(types) : `cursor=${this.cursor}`;
    return call(`GET /company/sync?${from}&limit=${limit}`, { token: this.#token });
  }

  /** Reads the next page; returns whether there are more. */
  async readPage(): Promise<boolean> {
    const reply = await this.ask();
    expect(reply.body).toMatchObject({ data: expect.anything() });
    const { data, cursor, has_more } = SyncPageShape.parse(reply.body);
    for (const entry of data) this.#take(entry);
    this.cursor = cursor;
    this.cursors.push(cursor);
    this.pages.push(data);
    return has_more;
  }

  /** Reads to the end. */
  async catchUp(): Promise<this> {
    while (await this.readPage());
    return this;
  }

  /** Lists existing records of a type, by id. */
  of(type: SyncType): SyncRowShape[] {
    const entries = [...this.#entries.values()].filter((each) => each.type === type && !each.is_deleted);
    return entries.map(({ record }) => record).sort((a, b) => a.id - b.id);
  }

  entry(type: SyncType, id: number): SyncEntryShape | undefined {
    return this.#entries.get(`${type} ${id}`);
  }

  #take(entry: SyncEntryShape): void {
    const known = this.entry(entry.type, entry.id);
    expect(entry.id).toBe(entry.record.id);
    if (known) expect(entry.revision).toBeGreaterThanOrEqual(known.revision);
    if (known?.revision === entry.revision) expect(entry).toEqual(known);
    this.#entries.set(`${entry.type} ${entry.id}`, entry);
  }
}

/** Names types in a query string. */
export function typesQuery(types: readonly SyncType[]): string {
  return types.map((type) => `types[]=${type}`).join('&');
}

/** Fields that lists without lines omit. */
const NOT_COMPARED = new Set([...FIELDS_NOT_SYNCED, 'lines_left_out']);

/** Fields of replicas that lists don't have. */
const NOT_LISTED = new Set(['debts', 'bonuses', 'returns', 'products', 'lines_left_out', 'summary']);

const LISTS = TYPES.filter(
  (type) => !['company.company', 'user.user', 'stock.supplier.operation', 'cashbox.transfer'].includes(type),
);

/** Expects a replica to equal the lists of its caller. */
export async function expectAsListed(copy: SyncReader, token: string, types = TYPES): Promise<void> {
  for (const type of types) {
    const listed = await listOf(copy, type, token);
    if (!listed) continue;
    const copied = copy.of(type);
    expect([type, copied.map(({ id }) => id)]).toEqual([type, listed.map(({ id }) => id)]);
    for (const [index, row] of listed.entries()) expectSame(type, copied[index] ?? { id: 0 }, row);
  }
}

function expectSame(type: SyncType, record: SyncRowShape, row: SyncRowShape): void {
  const isLined = type === 'product.bundle' || type === 'trade.sale.return';
  const names = Object.keys(record).filter((name) => isLined || !NOT_LISTED.has(name));
  const shown = Object.keys(row).filter(
    (name) => (isLined || !NOT_LISTED.has(name)) && !NOT_COMPARED.has(name),
  );
  expect([type, row.id, names.sort()]).toEqual([type, row.id, shown.sort()]);
  expect([type, pick(record, names)]).toEqual([type, pick(row, names)]);
}

function pick(row: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}

async function listOf(copy: SyncReader, type: SyncType, token: string): Promise<SyncRowShape[] | undefined> {
  if (LISTS.includes(type)) return readList(`/company/${type.replaceAll('.', '/')}`, token);
  const owners = {
    'stock.supplier.operation': 'stock.supplier',
    'cashbox.transfer': 'cashbox.cashbox',
  } as const;
  if (type !== 'stock.supplier.operation' && type !== 'cashbox.transfer') return undefined;
  const word = type === 'cashbox.transfer' ? 'transfers' : 'operations';
  const owner = owners[type];
  const path = `/company/${owner.replaceAll('.', '/')}`;
  const lists = await Promise.all(copy.of(owner).map(({ id }) => readList(`${path}/${id}/${word}`, token)));
  return lists.flat().sort((a, b) => a.id - b.id);
}

const List = z.object({ data: z.array(SyncRowShape), meta: z.object({ last_page: z.int() }) });

/** Reads all pages of a list, by id. */
async function readList(path: string, token: string): Promise<SyncRowShape[]> {
  const rows: SyncRowShape[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = List.parse((await call(`GET ${path}?page=${page}`, { token })).body);
    rows.push(...data);
    last = meta.last_page;
  }
  return rows.sort((a, b) => a.id - b.id);
}

/** Waits until a replica equals the lists, as its caller reads on. */
export async function untilAsListed(copy: SyncReader, token: string, types = TYPES): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; ; await pause(2000)) {
    try {
      await copy.catchUp();
      return await expectAsListed(copy, token, types);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Reads on until a replica has a record in a later revision than the given one. */
export async function untilChanged(
  copy: SyncReader,
  type: SyncType,
  id: number,
  revision = 0,
): Promise<SyncEntryShape> {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await pause(1500)) {
    await copy.catchUp();
    const entry = copy.entry(type, id);
    if (entry && entry.revision > revision) return entry;
  }
  throw new Error(`The copy does not hear of ${type} ${id}`);
}
