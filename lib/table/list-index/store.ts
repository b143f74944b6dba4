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

/** Ids of chunks that have been read, by their addresses. */
export type LoadedChunks = Map<string, readonly number[]>;

/** A failure to find a chunk that an index names. */
export class MissingChunk extends Error {}

/** From this number on, chunks of one index are read by a query, which is billed by the kilobyte. */
const WORTH_A_QUERY = 4;

/** An hour after a chunk left its index, nobody looks for it any more. */
const KEPT_S = 3600;

/** Single writes at once: as many as there are connections. */
export const MAX_CONCURRENT_WRITES = 40;

/** Reads chunks that have not been read yet. One round trip, two if one of them was written a moment ago. */
export async function loadChunks(places: readonly ChunkLocation[], loaded: LoadedChunks): Promise<void> {
  const wanted = places.filter((place) => !loaded.has(chunkAddressOf(place)));
  const byIndex = Map.groupBy(wanted, ({ pk }) => pk);
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
  // A query may lag behind the index by the last write.
  await getChunks(
    wanted.filter((place) => !loaded.has(chunkAddressOf(place))),
    loaded,
  );
}

/** Gives the address by which a chunk's ids are found. */
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

/** Writes an index that was read at a version, its new chunks first. False if someone else was faster. */
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
  await expire(pk, isWritten ? dropped : await pickUnnamed(key, written), at);
  return isWritten;
}

/** Picks the chunks that an index does not name. It names them if it was written and the answer was lost. */
async function pickUnnamed(key: Key, chunks: readonly Chunk[]): Promise<Chunk[]> {
  const [item] = await getRawItems([key]);
  const names = new Set(indexFrom(item).chunks.map(({ name }) => name));
  return chunks.filter(({ name }) => !names.has(name));
}

/** Lets chunks expire that no index names any more, after those who have just read of them are done. */
async function expire(pk: string, chunks: readonly Chunk[], at: number): Promise<void> {
  const set = { expires_at: Math.floor(at / 1000) + KEPT_S };
  await mapConcurrent(chunks, MAX_CONCURRENT_WRITES, (chunk) =>
    writeOne(actionOf(chunkKey(pk, chunk), updateOf({ set }), [present('pk')])),
  );
}
