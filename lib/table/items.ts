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

/** What work of one call wants to read at one moment, and the items that it gets, by their addresses. */
interface Gathering {
  readonly keys: Map<string, Key>;
  readonly items: Promise<ReadonlyMap<string, Item>>;
}

const gatherings = new WeakMap<Meter, Gathering>();

/**
 * Reads the items at the keys as they are in the table, locks and all, each in its key's place. One round
 * trip for any number, a hundred to a batch, all batches at once. Only the journal wants them so; everyone
 * else calls `getItems`.
 */
export async function getRawItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const wanted = keys.filter((key) => key !== undefined);
  if (wanted.length === 0) return keys.map(() => undefined);
  const { meter } = requestContext();
  const gathering = (meter && gatherings.get(meter)) ?? gather(meter);
  for (const key of wanted) gathering.keys.set(addressOf(key), key);
  const items = await gathering.items;
  return keys.map((key) => key && items.get(addressOf(key)));
}

/**
 * Begins a read that all work of a call may join until this moment is over: a request of its own takes half a
 * millisecond of work, and a sale asks for its desk, its goods and their shelves in three places.
 */
function gather(meter: Meter | undefined): Gathering {
  const keys = new Map<string, Key>();
  const read = async () => {
    await Promise.resolve();
    if (meter) gatherings.delete(meter);
    const batches = await Promise.all(splitEvery([...keys.values()], BATCH).map(getBatch));
    return new Map(batches.flat().map((item) => [addressOf(item), item]));
  };
  const gathering = { keys, items: inBackground(read()) };
  if (meter) gatherings.set(meter, gathering);
  return gathering;
}

async function getBatch(keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; wanted.length > 0; attempt++) {
    // It is busy with others.
    if (attempt === ATTEMPTS) throw serviceUnavailable();
    if (attempt > 0) await backOff(attempt);
    const answer = await dynamo.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: wanted, ConsistentRead: true } } }),
    );
    items.push(...(answer.Responses?.[tableName()] ?? []));
    wanted = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** How often the end of a transaction is waited for: some seconds in all. */
const SETTLING_ATTEMPTS = 25;

/**
 * Reads a few items as they are in the table once no transaction is under way on any of them; waits for those
 * that are. Two units for each that one costs otherwise, and a round trip that no other work joins. 503 if
 * one never ends.
 */
export async function getSettledItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const wanted = keys.filter((key) => key !== undefined);
  const TransactItems = wanted.map(({ pk, sk }) => ({ Get: { TableName: tableName(), Key: { pk, sk } } }));
  for (let attempt = 1; ; attempt++) {
    try {
      const { Responses = [] } = await dynamo.send(new TransactGetCommand({ TransactItems }));
      const items = new Map(wanted.map((key, index) => [addressOf(key), Responses[index]?.Item]));
      return keys.map((key) => key && items.get(addressOf(key)));
    } catch (error) {
      if (!isTransientError(error) && !(error instanceof TransactionCanceledException)) throw error;
      if (attempt === SETTLING_ATTEMPTS) throw serviceUnavailable();
      recordConflict();
      await backOff(attempt);
    }
  }
}

/** Reads all items of a partition as they are in the table, locks and all. */
export async function partitionItems(pk: string): Promise<Item[]> {
  return query('pk = :pk', { ':pk': pk });
}

/** Reads the items of a partition from one key to another, both included, as they are in the table. */
export async function itemsBetween({ pk, sk: from }: Key, { sk: to }: Key): Promise<Item[]> {
  return query('pk = :pk AND sk BETWEEN :from AND :to', { ':pk': pk, ':from': from, ':to': to });
}

/** Reads the same a megabyte at a time, for who may have enough before the end. */
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

/** The attribute with the id of the journal that has taken an item. */
export const LOCK = 'journal';

/** The attribute with what an item will be if the owner of its standing lock commits (`standing.ts`). */
export const PENDING = 'pending';

/** The attribute in which an owner of standing locks says how it stands. */
export const STANDING = 'standing';

/** Holds if no journal has taken the item. Every write to the table requires it. */
export const unlocked: Expression = absent(LOCK);

/** Names the journal that has taken an item. */
export function lockOf(item: Item | undefined): string | undefined {
  const lock = item?.[LOCK];
  return typeof lock === 'string' ? lock : undefined;
}

/** Names the journals that have taken any of the items, each once. */
export function locksOn(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((item) => lockOf(item) ?? []))];
}

/** Picks those of the items that bear a lock. */
export function itemsUnderLock(lock: string, items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined).filter((item) => lockOf(item) === lock);
}

/** Reads those of the items at some keys that bear a lock. */
export async function readLockedBy(lock: string, keys: readonly Key[]): Promise<Item[]> {
  return itemsUnderLock(lock, await getRawItems(keys));
}

/** Gives an item as it was before it was taken; undefined if it was only made to bear the lock. */
export function withoutLock(item: Item | undefined): Item | undefined {
  if (lockOf(item) === undefined) return item;
  return isPlaceholder(item) ? undefined : { ...item, [LOCK]: undefined, [PENDING]: undefined };
}

/** Tells whether an item did not exist before it was taken: it has only its key and the lock. */
export function isPlaceholder(item: Item | undefined): boolean {
  return (
    item !== undefined && Object.keys(item).every((name) => name === 'pk' || name === 'sk' || name === LOCK)
  );
}
