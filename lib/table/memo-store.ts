import { createHash } from 'node:crypto';
import * as z from 'zod';
import { absent, equals } from './expression.ts';
import type { Key } from './keys.ts';
import { getItems } from './reads.ts';
import { Contention, transact } from './transact.ts';
import { put, putNew } from './write.ts';

/** Ids to a chunk: a page's ids are in one or two, and a chunk is a kilobyte or two. */
const CHUNK_IDS = 1000;

/** As many chunks as fit in one native transaction beside the head. */
const MOST_CHUNKS = 90;

/** A key is 2 KB at most. */
const LONGEST_NAME = 500;

const Head = z.object({
  /** The highest id the memo has seen. */
  upto: z.int(),
  /** The ids in full chunks. */
  chunked: z.int(),
  /** The latest ids, as differences, not enough yet for a chunk. */
  open: z.array(z.int()),
  /** The last id that was out at some time. */
  seen: z.object({ last: z.int(), at: z.number() }),
  version: z.int(),
});

/** A memo: which ids a settled filter leaves, up to one below which nothing can appear any more. */
export type Memo = Readonly<z.output<typeof Head>>;

/** Places in a list, counted from its beginning: `from` included, `to` not. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

const Chunk = z.object({ ids: z.array(z.int()) });

const EMPTY: Memo = { upto: 0, chunked: 0, open: [], seen: { last: 0, at: 0 }, version: 0 };

/** Where a memo's head stands. */
export function headKey(partition: string, filter: string): Key {
  const name = filter.length > LONGEST_NAME ? createHash('sha256').update(filter).digest('base64url') : filter;
  return { pk: `memo#${partition}#${name}`, sk: 'head' };
}

/** A memo as it was read; an empty one where there is none. */
export function memoFrom(item: unknown): Memo {
  const head = Head.safeParse(item).data;
  return head ? { ...head, open: sums(head.open) } : EMPTY;
}

/** How many ids a memo holds. */
export function countOf({ chunked, open }: Memo): number {
  return chunked + open.length;
}

/** Ids of a memo by their ranks. One round trip, none where they are in the open part. */
export async function idsOf(head: Key, memo: Memo, { from, to }: Ranks): Promise<number[]> {
  if (from >= to) return [];
  const first = Math.floor(from / CHUNK_IDS);
  const end = Math.ceil(Math.min(to, memo.chunked) / CHUNK_IDS);
  const keys = Array.from({ length: Math.max(0, end - first) }, (_, index) => chunkKey(head, first + index));
  const items = await getItems(keys);
  const chunked = items.flatMap((item) => sums(Chunk.parse(item).ids));
  const start = keys.length > 0 ? first * CHUNK_IDS : memo.chunked;
  return [...chunked, ...memo.open].slice(from - start, to - start);
}

/**
 * Adds ids to a memo, all higher than those it has, and says how far it reaches now. Someone else may be faster: then
 * it is left as they made it.
 */
export async function extendMemo(
  head: Key,
  memo: Memo,
  ids: readonly number[],
  reach: Pick<Memo, 'upto' | 'seen'>,
): Promise<void> {
  const fit = ids.slice(0, MOST_CHUNKS * CHUNK_IDS - memo.open.length);
  const isAll = fit.length === ids.length;
  const open = [...memo.open, ...fit];
  const full = Math.floor(open.length / CHUNK_IDS);
  const chunks = Array.from({ length: full }, (_, index) =>
    putNew(chunkKey(head, memo.chunked / CHUNK_IDS + index), {
      ids: differences(open.slice(index * CHUNK_IDS, (index + 1) * CHUNK_IDS)),
    }),
  );
  const extended: Memo = {
    ...reach,
    upto: isAll ? reach.upto : (fit.at(-1) ?? memo.upto),
    chunked: memo.chunked + full * CHUNK_IDS,
    open: open.slice(full * CHUNK_IDS),
    version: memo.version + 1,
  };
  const same = memo.version === 0 ? absent('pk') : equals('version', memo.version);
  try {
    await transact([...chunks, put(head, { ...extended, open: differences(extended.open) }, { if: same })]);
  } catch (error) {
    if (error instanceof Contention) return;
    throw error;
  }
  if (!isAll) await extendMemo(head, extended, ids.slice(fit.length), reach);
}

function chunkKey({ pk }: Key, index: number): Key {
  return { pk, sk: `chunk-${String(index).padStart(9, '0')}` };
}

function differences(ids: readonly number[]): number[] {
  return ids.map((id, index) => id - (ids[index - 1] ?? 0));
}

function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum;
  });
}
