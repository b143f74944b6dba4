import { createHash } from 'node:crypto';
import * as z from 'zod';
import { absent, equals } from './expression.ts';
import type { Key } from './keys.ts';
import { getItems } from './reads.ts';
import { Contention, transact } from './transact.ts';
import { put } from './write.ts';

/** Ids to a chunk: a page's ids are in one or two, and a chunk is a kilobyte or two. */
const CHUNK_IDS = 1000;

/** A key is 2 KB at most. */
const LONGEST_NAME = 500;

const Head = z.object({
  /** The highest id the memo has seen. */
  upto: z.int(),
  /** The ids in full chunks. */
  chunked: z.int(),
  /** The latest ids, as differences, not enough yet for a chunk. */
  open: z.array(z.int()),
  version: z.int(),
});

/** A memo: which ids a settled filter leaves, up to one below which nothing can appear any more. */
export type Memo = Readonly<z.output<typeof Head>>;

/** Places in a list, counted from its beginning: `from` included, `to` not. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** A chunk of a memo is gone: it was thrown away. */
export class Torn extends Error {}

const Chunk = z.object({ ids: z.array(z.int()) });

const EMPTY: Memo = { upto: 0, chunked: 0, open: [], version: 0 };

/** Where a memo's head stands. */
export function headKey(partition: string, filter: string): Key {
  const name =
    filter.length > LONGEST_NAME ? createHash('sha256').update(filter).digest('base64url') : filter;
  return { pk: `memo#${partition}#${name}`, sk: 'head' };
}

/** A memo as it was read; an empty one where there is none. */
export function memoFrom(item: unknown): Memo {
  const head = Head.safeParse(item).data;
  return head ? { ...head, open: sums(head.open) } : EMPTY;
}

/** A memo with nothing in it that may take the place of one whose chunks are gone. */
export function forgotten({ version }: Memo): Memo {
  return { ...EMPTY, version };
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
  const chunked = items.flatMap((item) => {
    const chunk = Chunk.safeParse(item).data;
    if (!chunk) throw new Torn();
    return sums(chunk.ids);
  });
  const start = keys.length > 0 ? first * CHUNK_IDS : memo.chunked;
  return [...chunked, ...memo.open].slice(from - start, to - start);
}

/**
 * Adds ids to a memo, all higher than those it has and under a hundred thousand, and how far they reach. Undefined where
 * it stays as it is: someone else was faster, or the table would not take it. The reader's answer needs neither.
 */
export async function extendMemo(
  head: Key,
  memo: Memo,
  ids: readonly number[],
  upto: number,
): Promise<Memo | undefined> {
  const all = [...memo.open, ...ids];
  const full = Math.floor(all.length / CHUNK_IDS);
  // What a chunk holds follows from its number, so one that is left of a memo thrown away may be written again.
  const chunks = Array.from({ length: full }, (_, index) =>
    put(chunkKey(head, memo.chunked / CHUNK_IDS + index), {
      ids: differences(all.slice(index * CHUNK_IDS, (index + 1) * CHUNK_IDS)),
    }),
  );
  const chunked = memo.chunked + full * CHUNK_IDS;
  const extended: Memo = { upto, chunked, open: all.slice(full * CHUNK_IDS), version: memo.version + 1 };
  const same = memo.version === 0 ? absent('pk') : equals('version', memo.version);
  try {
    await transact([...chunks, put(head, { ...extended, open: differences(extended.open) }, { if: same })]);
    return extended;
  } catch (error) {
    if (!(error instanceof Contention)) process.emitWarning(`The memo of a list was not extended: ${error}`);
    return undefined;
  }
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
