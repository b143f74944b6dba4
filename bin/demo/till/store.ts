/*
 * IndexedDB with three stores: `values` (session, cart, cursor of the replica), `records` (the replica) and
 * `sales` (not sent yet). All of it survives a reload or a power failure.
 */

const STORES = ['values', 'records', 'sales'] as const;

type Store = (typeof STORES)[number];

/** A value to put; undefined deletes. */
type Change = readonly [store: Store, key: string, value: unknown];

const database = new Promise<IDBDatabase>((resolve, reject) => {
  const opening = indexedDB.open('till', 1);
  opening.onupgradeneeded = () => {
    for (const store of STORES) opening.result.createObjectStore(store);
  };
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});

export async function read<T>(store: Store, key: string): Promise<T | undefined> {
  return resultOf((await database).transaction(store).objectStore(store).get(key));
}

export async function readAll<T>(store: Store): Promise<T[]> {
  return resultOf((await database).transaction(store).objectStore(store).getAll());
}

/** Writes changes in one transaction, all or none; before them it may empty the copy. */
export async function write(changes: readonly Change[], emptied: readonly Store[] = []): Promise<void> {
  const transaction = (await database).transaction(STORES, 'readwrite', { durability: 'strict' });
  for (const store of emptied) transaction.objectStore(store).clear();
  for (const [store, key, value] of changes) {
    if (value === undefined) transaction.objectStore(store).delete(key);
    else transaction.objectStore(store).put(value, key);
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
