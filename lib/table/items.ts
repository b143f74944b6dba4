import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, paginateQuery, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { inBackground, splitEvery } from '#lib/values/concurrency.ts';
import { dynamo, type Item, tableName } from './client.ts';
import { absent, type Expression } from './expression.ts';
import { addressOf, type Key } from './keys.ts';
import { type Meter, recordConflict, requestContext } from './request-context.ts';
import { backOff, isTransientError } from './transient-errors.ts';

const BATCH = 100;
const ATTEMPTS = 8;

/** The keys to be read in one batch by a call's concurrent work, and the items read, by their addresses. */
interface Gathering {
  readonly keys: Map<string, Key>;
  readonly items: Promise<ReadonlyMap<string, Item>>;
}

const gatherings = new WeakMap<Meter, Gathering>();

/**
 * Reads the stored items at the keys, locks included, in the order of the keys. One round trip for any
 * number, a hundred to a batch, all batches concurrently. Only the journal needs raw items; other callers use
 * `getItems`.
 */
export async function getRawItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const present = keys.filter((key) => key !== undefined);
  if (present.length === 0) return keys.map(() => undefined);
  const { meter } = requestContext();
  const gathering = (meter && gatherings.get(meter)) ?? gather(meter);
  for (const key of present) gathering.keys.set(addressOf(key), key);
  const items = await gathering.items;
  return keys.map((key) => key && items.get(addressOf(key)));
}

/**
 * Starts a batch read that the call's concurrent work may join until the end of the current microtask: each
 * request costs half a millisecond of CPU, and a sale reads its desk, its goods and their stock levels in
 * three places.
 */
function gather(meter: Meter | undefined): Gathering {
  const keys = new Map<string, Key>();
  const read = async () => {
    await Promise.resolve();
    if (meter) gatherings.delete(meter);
    const batches = await Promise.all(splitEvery([...keys.values()], BATCH).map((few) => getBatch(few)));
    return new Map(batches.flat().map((item) => [addressOf(item), item]));
  };
  const gathering = { keys, items: inBackground(read()) };
  if (meter) gatherings.set(meter, gathering);
  return gathering;
}

/** Reads the same, eventually consistent, at half the units. */
export async function getRawItemsEventually(
  keys: readonly (Key | undefined)[],
): Promise<(Item | undefined)[]> {
  const present = keys.filter((key) => key !== undefined);
  const batches = await Promise.all(splitEvery(present, BATCH).map((few) => getBatch(few, false)));
  const items = new Map(batches.flat().map((item) => [addressOf(item), item]));
  return keys.map((key) => key && items.get(addressOf(key)));
}

async function getBatch(keys: readonly Key[], isConsistent = true): Promise<Item[]> {
  const items: Item[] = [];
  let remaining: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; remaining.length > 0; attempt++) {
    // The table is throttled.
    if (attempt === ATTEMPTS) throw serviceUnavailable();
    if (attempt > 0) await backOff(attempt);
    const answer = await dynamo.send(
      new BatchGetCommand({
        RequestItems: { [tableName()]: { Keys: remaining, ConsistentRead: isConsistent } },
      }),
    );
    items.push(...(answer.Responses?.[tableName()] ?? []));
    remaining = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** Attempts to read items in a transaction in progress: some seconds in total. */
const SETTLING_ATTEMPTS = 25;

/**
 * Reads a few stored items with no transaction in progress on any of them; waits for those that have one.
 * Costs two read units more for each, and a round trip that other work can't join. 503 if a transaction does
 * not end.
 */
export async function getSettledItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const present = keys.filter((key) => key !== undefined);
  const TransactItems = present.map(({ pk, sk }) => ({ Get: { TableName: tableName(), Key: { pk, sk } } }));
  for (let attempt = 1; ; attempt++) {
    try {
      const { Responses = [] } = await dynamo.send(new TransactGetCommand({ TransactItems }));
      const items = new Map(present.map((key, index) => [addressOf(key), Responses[index]?.Item]));
      return keys.map((key) => key && items.get(addressOf(key)));
    } catch (error) {
      if (!isTransientError(error) && !(error instanceof TransactionCanceledException)) throw error;
      if (attempt === SETTLING_ATTEMPTS) throw serviceUnavailable();
      recordConflict();
      await backOff(attempt);
    }
  }
}

/** Reads all stored items of a partition, locks included. */
export async function partitionItems(pk: string): Promise<Item[]> {
  return query('pk = :pk', { ':pk': pk });
}

/** Reads the stored items of a partition between two keys, both inclusive. */
export async function itemsBetween({ pk, sk: from }: Key, { sk: to }: Key): Promise<Item[]> {
  return query('pk = :pk AND sk BETWEEN :from AND :to', { ':pk': pk, ':from': from, ':to': to });
}

/** Reads the same, one megabyte at a time, for callers that may stop early. */
export function walkBetween({ pk, sk: from }: Key, { sk: to }: Key): AsyncGenerator<Item[], undefined> {
  return pagesOf('pk = :pk AND sk BETWEEN :from AND :to', { ':pk': pk, ':from': from, ':to': to });
}

async function query(condition: string, values: Readonly<Record<string, string>>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of pagesOf(condition, values)) found.push(...items);
  return found;
}

async function* pagesOf(
  condition: string,
  values: Readonly<Record<string, string>>,
): AsyncGenerator<Item[], undefined> {
  const input = {
    TableName: tableName(),
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values,
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, input)) yield Items;
}

/** The attribute with the id of the journal that has locked the item. */
export const LOCK = 'journal';

/** The attribute with the item's state if the owner of its standing lock commits (`standing-lock.ts`). */
export const PENDING = 'pending';

/** The attribute with the state of an owner of standing locks. */
export const STANDING = 'standing';

/** Holds if no journal has locked the item. Every write to the table requires it. */
export const unlocked: Expression = absent(LOCK);

/** Returns the id of the journal that has locked an item. */
export function lockOf(item: Item | undefined): string | undefined {
  const lock = item?.[LOCK];
  return typeof lock === 'string' ? lock : undefined;
}

/** Returns the distinct ids of the journals that have locked any of the items. */
export function locksOn(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((item) => lockOf(item) ?? []))];
}

/** Returns the items that bear a lock. */
export function itemsUnderLock(lock: string, items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined).filter((item) => lockOf(item) === lock);
}

/** Reads the items at some keys that bear a lock. */
export async function readLockedBy(lock: string, keys: readonly Key[]): Promise<Item[]> {
  return itemsUnderLock(lock, await getRawItems(keys));
}

/** Returns an item as it was before it was locked; undefined if it is a placeholder. */
export function withoutLock(item: Item | undefined): Item | undefined {
  if (lockOf(item) === undefined) return item;
  return isPlaceholder(item) ? undefined : { ...item, [LOCK]: undefined, [PENDING]: undefined };
}

/** Returns true if an item is a placeholder: created by the lock, with only its key and the lock. */
export function isPlaceholder(item: Item | undefined): boolean {
  return (
    item !== undefined && Object.keys(item).every((name) => name === 'pk' || name === 'sk' || name === LOCK)
  );
}
