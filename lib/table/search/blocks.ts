import * as z from 'zod';
import { actionOf, updateOf } from '#lib/table/change/change.ts';
import { putOne, writeOne } from '#lib/table/change/send.ts';
import { present } from '#lib/table/expression.ts';
import { getRawItems, getRawItemsEventually } from '#lib/table/items.ts';
import type { Source } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { blocksOf, postingsIn, type WordIds } from './segment.ts';
import { blockKey, type SegmentInfo } from './state.ts';

/** A block that the state names and that is missing: a later update has replaced it. */
export class MissingBlock extends Error {}

/** Retention of replaced blocks: no reader uses one for longer than an hour. */
const RETENTION_S = 3600;

/** Concurrent single writes: one per connection. */
const MAX_CONCURRENT_WRITES = 40;

const Block = z.object({ words: z.instanceof(Uint8Array) });

/** A block of a segment. */
export interface BlockPlace {
  readonly name: string;
  readonly block: number;
}

/** Reads blocks, in their order. One round trip, two if one was written a moment ago. */
export async function readBlocks(source: Source, places: readonly BlockPlace[]): Promise<WordIds[][]> {
  const keys = places.map(({ name, block }) => blockKey(source, name, block));
  const found = await getRawItemsEventually(keys);
  const missing = keys.map((key, index) => (found[index] ? undefined : key));
  const late = missing.some(Boolean) ? await getRawItems(missing) : [];
  return keys.map((_, index) => {
    const item = Block.safeParse(found[index] ?? late[index]).data;
    if (!item) throw new MissingBlock();
    return postingsIn(item.words);
  });
}

/** Reads all words of a segment. */
export async function readSegment(source: Source, { name, first }: SegmentInfo): Promise<WordIds[]> {
  const blocks = await readBlocks(
    source,
    first.map((_, block) => ({ name, block })),
  );
  return blocks.flat();
}

/** Writes a segment under a new name. */
export async function writeSegment(
  source: Source,
  name: string,
  postings: readonly WordIds[],
): Promise<string[]> {
  const blocks = blocksOf(postings);
  await mapConcurrent([...blocks.entries()], MAX_CONCURRENT_WRITES, ([block, { packed }]) =>
    putOne(blockKey(source, name, block), { words: packed }, 0),
  );
  return blocks.map(({ first }) => first);
}

/** Expires a segment that is replaced, after current readers are done. */
export async function expireSegment(source: Source, { name, first }: SegmentInfo, at: number): Promise<void> {
  const set = { expires_at: Math.floor(at / 1000) + RETENTION_S };
  await mapConcurrent([...first.keys()], MAX_CONCURRENT_WRITES, (block) =>
    writeOne(actionOf(blockKey(source, name, block), updateOf({ set }), [present('pk')])),
  );
}
