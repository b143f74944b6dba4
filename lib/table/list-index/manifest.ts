import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { packIds, packNumbers, unpackIds, unpackNumbers } from './ids.ts';

/** A part of an index outside its own item. Immutable: a rewritten one gets another name. */
export interface Chunk {
  readonly first: number;
  readonly count: number;
  readonly name: number;
}

/**
 * The index of a value: the ids of the records that have it. All ids of a chunk are lower than those of the
 * next.
 */
export const Index = z.object({
  version: z.int(),
  chunks: z.codec(z.instanceof(Uint8Array), z.custom<readonly Chunk[]>(), {
    decode: unpackChunks,
    encode: packChunks,
  }),
  /** The highest id in chunks; all other ids are higher. */
  sealed: z.int(),
  /** The latest ids. */
  tail: z.codec(z.instanceof(Uint8Array), z.custom<readonly number[]>(), {
    decode: unpackIds,
    encode: packIds,
  }),
  /** Numbers of the last update of covered ids and of the one before it, and the ids moved by the last. */
  changed: z.int(),
  before: z.int(),
  recent: z.codec(z.instanceof(Uint8Array), z.custom<readonly number[]>(), {
    decode: unpackIds,
    encode: packIds,
  }),
});

export type Index = Readonly<z.output<typeof Index>>;

/** An empty index, not stored yet. */
const EMPTY: Index = { version: 0, chunks: [], sealed: 0, tail: [], changed: 0, before: 0, recent: [] };

/** The stored ids of a chunk. */
export const ChunkIds = z.object({ ids: z.instanceof(Uint8Array) });

/** Parses an index from its item; an empty one if the item is missing. */
export function indexFrom(item: Item | undefined): Index {
  return item ? Index.parse(item) : EMPTY;
}

/** Counts the ids in an index. */
export function countOf({ chunks, tail }: Index): number {
  return chunks.reduce((sum, { count }) => sum + count, tail.length);
}

function packChunks(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  return packNumbers(
    chunks.flatMap(({ first, count, name }, index) => [first - (chunks[index - 1]?.first ?? 0), count, name]),
  );
}

function unpackChunks(packed: Uint8Array): Chunk[] {
  const numbers = unpackNumbers(packed);
  const chunks: Chunk[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [difference = 0, count = 0, name = 0] = numbers.slice(at, at + 3);
    chunks.push({ first: (chunks.at(-1)?.first ?? 0) + difference, count, name });
  }
  return chunks;
}
