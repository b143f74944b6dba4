import { isDeepStrictEqual } from 'node:util';
import { type Counters, counterKey } from '#lib/records/links/counters.ts';
import type { Item } from '#lib/table/client.ts';
import { type Key, partition, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Books } from './books.ts';

/** A kind of owners: `clients`, `client`. */
interface OwnerKind {
  readonly book: string;
  readonly noun: string;
  readonly counters: Counters;
}

/** Counters of owners as read before, by id. */
export interface Owners extends OwnerKind {
  readonly had: ReadonlyMap<number, Item>;
}

/** Reads the counters of all owners, before the documents that change them. */
export async function readOwners(tenant: Tenant, kind: OwnerKind): Promise<Owners> {
  const owners = await wholePartition(partition(kind.counters.of, tenant));
  const ids = owners.map(({ id }) => Number(id));
  return { ...kind, had: await readCounters(tenant, kind, ids) };
}

/** Checks the owners whose counters have not changed since. Others can't be checked. */
export async function checkOwners(
  books: Books,
  { had, ...kind }: Owners,
  faultsOf: (id: number, item: Item) => readonly string[],
  others: (id: number) => readonly Key[] = () => [],
): Promise<void> {
  const { book, noun, counters } = kind;
  const has = await readCounters(books.tenant, kind, [...had.keys()]);
  const atRest = [...has].filter(([id, item]) => isDeepStrictEqual(had.get(id), item));
  if (has.size > 0) books.count(book, has.size);
  if (atRest.length < has.size) books.count(`${book} too busy to be checked`, has.size - atRest.length);
  for (const [id, item] of atRest) {
    const keys = [counterKey(counters, books.tenant, id), ...others(id)];
    books.report({ book, subject: `${noun} ${id}`, keys }, faultsOf(id, item));
  }
}

async function readCounters(
  tenant: Tenant,
  { counters }: OwnerKind,
  ids: readonly number[],
): Promise<Owners['had']> {
  const items = await getItems(ids.map((id) => counterKey(counters, tenant, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}
