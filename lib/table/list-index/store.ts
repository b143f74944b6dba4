import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { actionOf, updateOf } from '#lib/table/change/change.ts';
import { putOne, writeOne } from '#lib/table/change/send.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { present } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { EditedIndex } from './edit.ts';
import { packIds, unpackIds } from './ids.ts';
import { type Chunk, ChunkIds, Index, indexFrom } from './manifest.ts';
import { chunkKey } from './value.ts';

/** A chunk and its partition. */
export interface ChunkLocation {
  readonly pk: string;
  readonly chunk: Chunk;
}

/** Ids of loaded chunks, by their addresses. */
export type LoadedChunks = Map<string, readonly number[]>;

/** A chunk missing although an index refers to it. */
export class MissingChunk extends Error {}

/** More chunks than this of one index are read by a query, which is billed by the kilobyte. */
const WORTH_A_QUERY = 4;

/** Retention of a dropped chunk: no reader uses it for longer than an hour. */
const RETENTION_S = 3600;

/** Concurrent single writes: one per connection. */
export const MAX_CONCURRENT_WRITES = 40;

/** Loads the chunks that are not loaded yet. One round trip, two if one of them was written a moment ago. */
export async function loadChunks(places: readonly ChunkLocation[], loaded: LoadedChunks): Promise<void> {
  const missing = places.filter((place) => !loaded.has(chunkAddressOf(place)));
  const byIndex = Map.groupBy(missing, ({ pk }) => pk);
  const few = [...byIndex.values()].filter((each) => each.length <= WORTH_A_QUERY).flat();
  const many = [...byIndex].filter(([, each]) => each.length > WORTH_A_QUERY);
  await Promise.all([
    getChunks(few, loaded),
    ...many.map(([pk, each]) =>
      queryChunks(
        pk,
        each.map(({ chunk }) => chunk),
        loaded,
      ),
    ),
  ]);
  // The query is eventually consistent and may miss the last write.
  await getChunks(
    missing.filter((place) => !loaded.has(chunkAddressOf(place))),
    loaded,
  );
}

/** Returns the address of a chunk in `LoadedChunks`. */
export function chunkAddressOf({ pk, chunk }: ChunkLocation): string {
  return `${pk}\n${chunkKey(pk, chunk).sk}`;
}

async function getChunks(places: readonly ChunkLocation[], loaded: LoadedChunks): Promise<void> {
  if (places.length === 0) return;
  const items = await getRawItems(places.map(({ pk, chunk }) => chunkKey(pk, chunk)));
  for (const [index, place] of places.entries()) {
    const item = ChunkIds.safeParse(items[index]).data;
    if (!item) throw new MissingChunk();
    loaded.set(chunkAddressOf(place), unpackIds(item.ids));
  }
}

async function queryChunks(pk: string, chunks: readonly Chunk[], loaded: LoadedChunks): Promise<void> {
  const keys = chunks.map((chunk) => chunkKey(pk, chunk).sk).sort();
  const input = {
    TableName: tableName(),
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': keys[0], ':to': keys.at(-1) },
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, input)) {
    for (const item of Items) loaded.set(`${pk}\n${item['sk']}`, unpackIds(ChunkIds.parse(item).ids));
  }
}

/** Writes an index that was read at a version, its new chunks first. False if another worker was faster. */
export async function writeIndex(
  key: Key,
  pk: string,
  { index, written, dropped }: EditedIndex,
  at: number,
): Promise<boolean> {
  const chunks = await mapConcurrent(written, MAX_CONCURRENT_WRITES, (chunk) =>
    putOne(chunkKey(pk, chunk), { ids: packIds(chunk.ids) }, 0),
  );
  const isWritten = chunks.every(Boolean) && (await putOne(key, Index.encode(index), index.version - 1));
  await expire(pk, isWritten ? dropped : await chunksWithoutReference(key, written), at);
  return isWritten;
}

/**
 * Returns the chunks that an index does not refer to. It refers to them if the write succeeded and the
 * response was lost.
 */
async function chunksWithoutReference(key: Key, chunks: readonly Chunk[]): Promise<Chunk[]> {
  const [item] = await getRawItems([key]);
  const names = new Set(indexFrom(item).chunks.map(({ name }) => name));
  return chunks.filter(({ name }) => !names.has(name));
}

/** Expires dropped chunks, after current readers are done. */
async function expire(pk: string, chunks: readonly Chunk[], at: number): Promise<void> {
  const set = { expires_at: Math.floor(at / 1000) + RETENTION_S };
  await mapConcurrent(chunks, MAX_CONCURRENT_WRITES, (chunk) =>
    writeOne(actionOf(chunkKey(pk, chunk), updateOf({ set }), [present('pk')])),
  );
}
