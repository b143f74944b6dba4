import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { type Action, actionOf, Change, type Target, updateOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, type Expression, equals, present } from '#lib/table/expression.ts';
import { getRawItems, partitionItems } from '#lib/table/items.ts';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { pack, unpack } from '#lib/table/packed.ts';

/** Lease of a journal in preparation, renewed with each step: no other process ends it before. */
const LEASE_MS = 10_000;

/**
 * Retention of a journal, for late readers of its outcome. One that could not be ended, in spite of the
 * alarms, can still be ended then. Deleted by the table's TTL.
 */
const RETENTION_S = 90 * 86_400;

// Packed, this much JSON costs about five read units for the recovery of one item.
const CHUNK_CHARS = 120_000;

const Header = z.object({
  state: z.enum(['preparing', 'committed', 'aborted']),
  lease: z.number(),
  /** The number of its chunks, once committed. */
  chunks: z.int().default(0),
  /** True once no item bears its lock. */
  isClosed: z.boolean().default(false),
});

export type JournalHeader = Readonly<z.output<typeof Header>>;

const Chunk = z.object({ packed: z.instanceof(Uint8Array) });

const Row = z.object({ pk: z.string(), sk: z.string(), change: Change });

type Row = z.output<typeof Row>;

/** The content of a journal's chunks: its changes, or the items it locks before their changes are known. */
type Kind = 'chunk' | 'reserved';

/** Creates a journal in the state `preparing`. Idempotent: a delayed or repeated request changes nothing. */
export async function openJournal(id: string): Promise<void> {
  await writeOne(journalItem(headerKey(id), { state: 'preparing', lease: Date.now() + LEASE_MS }));
}

/** Records targets before the journal is committed; returns the number of chunks. One round trip. */
export async function recordTargets(id: string, kind: Kind, targets: readonly Target[]): Promise<number> {
  const chunks = chunksOf(targets.map(({ key, change }) => ({ ...key, change })));
  await Promise.all(
    chunks.map((rows, index) => writeOne(journalItem(chunkKey(id, kind, index), { packed: pack(rows) }))),
  );
  return chunks.length;
}

/** Reads the header of a journal; undefined if it doesn't exist. */
export async function readHeader(id: string, read = getRawItems): Promise<JournalHeader | undefined> {
  const [item] = await read([headerKey(id)]);
  return Header.safeParse(item).data;
}

/** Reads a committed journal's changes of some items, by their addresses. One round trip. */
export async function readChangesOf(
  id: string,
  { chunks }: JournalHeader,
  keys: readonly Key[],
): Promise<Map<string, Change>> {
  const indexes = new Set(keys.map((key) => chunkOf(key, chunks)));
  const items = await getRawItems([...indexes].map((index) => chunkKey(id, 'chunk', index)));
  return new Map(targetsIn(items).map(({ key, change }) => [addressOf(key), change]));
}

/** Reads all recorded targets of a journal in any state. */
export async function readTargets(id: string): Promise<Target[]> {
  return targetsIn(await partitionItems(journalPartition(id)));
}

/** Renews the lease of a journal; fails unless it is `preparing`. */
export function renewal(id: string): Action {
  return headerChange(id, { lease: Date.now() + LEASE_MS }, []);
}

/** Commits a journal whose changes are in this many chunks; fails unless it is `preparing`. */
export function committal(id: string, chunks: number): Action {
  return headerChange(id, { state: 'committed', chunks }, []);
}

/** Aborts a journal; with `lease`, only if the lease has not been renewed since. Returns true if it did. */
export function markAborted(id: string, lease?: number): Promise<boolean> {
  const unprolonged = lease === undefined ? [] : [equals('lease', lease)];
  return writeOne(headerChange(id, { state: 'aborted' }, unprolonged));
}

/** Closes a journal once no item bears its lock. */
export async function closeJournal(id: string): Promise<void> {
  await writeOne(actionOf(headerKey(id), updateOf({ set: { isClosed: true } }), [present('pk')]));
}

function headerChange(id: string, set: Record<string, unknown>, conditions: readonly Expression[]): Action {
  return actionOf(headerKey(id), updateOf({ set }), [equals('state', 'preparing'), ...conditions]);
}

/**
 * Builds the action that creates an item of a journal. Idempotent: a delayed or repeated one changes nothing.
 */
export function journalItem(key: Key, item: Record<string, unknown>): Action {
  const expires_at = Math.floor(Date.now() / 1000) + RETENTION_S;
  return actionOf(key, { kind: 'put', item: { ...item, expires_at } }, [absent('pk')]);
}

function targetsIn(items: readonly (Item | undefined)[]): Target[] {
  return items.flatMap((item) => {
    const chunk = Chunk.safeParse(item).data;
    if (!chunk) return [];
    const rows = z.array(Row).parse(unpack(chunk.packed));
    return rows.map(({ pk, sk, change }) => ({ key: { pk, sk }, change }));
  });
}

/** Distributes changes by their items' addresses, so that recovering an item reads one chunk. */
function chunksOf(rows: readonly Row[]): Row[][] {
  const chars = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  const count = Math.max(1, Math.ceil(chars / CHUNK_CHARS));
  const chunks = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) chunks[chunkOf(row, count)]?.push(row);
  return chunks;
}

function chunkOf(key: Key, chunks: number): number {
  return crc32(addressOf(key)) % chunks;
}

function chunkKey(id: string, kind: Kind, index: number): Key {
  return { pk: journalPartition(id), sk: `${kind}-${String(index).padStart(6, '0')}` };
}

/** Returns the partition of a journal. */
export function journalPartition(id: string): string {
  return `journal#${id}`;
}

function headerKey(id: string): Key {
  return { pk: journalPartition(id), sk: 'header' };
}
