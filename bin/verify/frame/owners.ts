import { isDeepStrictEqual } from 'node:util';
import { type Counters, counterKey } from '#lib/records/links/counters.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, partition } from '#lib/table/keys.ts';
import { getItems, walk } from '#lib/table/read/get.ts';
import type { Books } from './books.ts';

/** What owners of counters have, by their ids. */
export type Owners = ReadonlyMap<number, Item>;

/** Reads what all owners have, before the documents that change it. */
export async function readOwners(home: Home, counters: Counters): Promise<Owners> {
  const ids: number[] = [];
  for await (const items of walk(partition(counters.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  return readAgain(home, counters, ids);
}

/** Lists the owners that have the same as before. What others should have cannot be judged. */
export async function ownersAtRest(
  books: Books,
  what: string,
  counters: Counters,
  before: Owners,
): Promise<(readonly [id: number, item: Item])[]> {
  const after = await readAgain(books.home, counters, [...before.keys()]);
  const atRest = [...after].filter(([id, item]) => isDeepStrictEqual(before.get(id), item));
  if (after.size > 0) books.count(what, after.size);
  if (atRest.length < after.size) books.count(`${what} too busy to be checked`, after.size - atRest.length);
  return atRest;
}

async function readAgain(home: Home, counters: Counters, ids: readonly number[]): Promise<Owners> {
  const items = await getItems(ids.map((id) => counterKey(counters, home, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}
