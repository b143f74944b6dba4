import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { all, any, type Expression, present } from '#lib/table/expression.ts';
import { LOCK, lockOf, PENDING } from '#lib/table/items.ts';
import { padId } from '#lib/table/keys.ts';
import { Placeholders } from '#lib/table/placeholders.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { getItems, newReadView, visibleItems } from './get.ts';

/** A range of ids in a partition, both inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** All possible ids. */
export const ALL_IDS: Range = { from: 0, to: 999_999_999_999 };

/** Returns the intersection of two lists of ranges; each is sorted and without overlaps. */
export function intersect(one: readonly Range[], other: readonly Range[]): Range[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const shared = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
      return shared.from <= shared.to ? [shared] : [];
    }),
  );
}

/** A selection of headers in a range, and of their attributes. */
export interface RangeRead {
  readonly where: readonly Expression[];
  /** Requested attributes, all if omitted. `id` is always included. */
  readonly only?: readonly string[];
  /** Number of headers to scan; if omitted, up to a megabyte. */
  readonly max?: number;
}

/** Concurrent ranges, and the likely number of headers in a response of one megabyte. */
const PARALLEL = 16;
const HEADERS_A_MEGABYTE = 2000;

/**
 * Reads one response of DynamoDB, at most a megabyte: the headers that match the filters, and the range that
 * is left.
 */
export async function readQueryPage(
  pk: string,
  { from, to }: Range,
  { where, only, max }: RangeRead,
  descending = false,
): Promise<{ readonly items: Item[]; readonly left: Range | undefined }> {
  const scope = new Placeholders();
  const shown = all(where);
  const [partition, first, last] = [scope.value(pk), scope.value(padId(from)), scope.value(padId(to))];
  const query = new QueryCommand({
    TableName: tableName(),
    KeyConditionExpression: `${scope.name('pk')} = ${partition} AND ${scope.name('sk')} BETWEEN ${first} AND ${last}`,
    // Locked items are always included, as their state may be about to change.
    ...(where.length > 0 && { FilterExpression: any([present(LOCK), shown]).render(scope) }),
    ...(only && { ProjectionExpression: projectionOf(only, where, scope) }),
    ...scope.parameters,
    ...(max !== undefined && { Limit: max }),
    ScanIndexForward: !descending,
    ConsistentRead: true,
  });
  const sight = newReadView();
  for (;;) {
    const { Items: read = [], LastEvaluatedKey: end } = await dynamo.send(query);
    const items = await visibleItems(read, sight);
    if (!items) continue;
    const visible = read.some(lockOf) ? filterItems(items, shown) : read;
    return { items: visible, left: end && rangeLeft(Number(end['sk']), { from, to }, descending) };
  }
}

/** Returns the rest of a range; undefined if nothing is left: DynamoDB may stop at the very end. */
function rangeLeft(reached: number, { from, to }: Range, descending: boolean): Range | undefined {
  const left = descending ? { from, to: reached - 1 } : { from: reached + 1, to };
  return left.from <= left.to ? left : undefined;
}

/** Reads all headers of a range that match the filters, sequentially. Lowest ids first. */
export async function readRangeInTurn(pk: string, range: Range, reading: RangeRead): Promise<Item[]> {
  const found: Item[][] = [];
  for (let left: Range | undefined = range; left; ) {
    const answer = await readQueryPage(pk, left, reading);
    found.push(answer.items);
    left = answer.left;
  }
  return found.flat();
}

/** Reads all headers of a range that match the filters, concurrently in parts. Lowest ids first. */
export async function readRange(pk: string, { from, to }: Range, reading: RangeRead): Promise<Item[]> {
  if (to < from) return [];
  const parts = Array.from({ length: Math.ceil((to - from + 1) / HEADERS_A_MEGABYTE) }, (_, index) => ({
    from: from + index * HEADERS_A_MEGABYTE,
    to: Math.min(to, from + (index + 1) * HEADERS_A_MEGABYTE - 1),
  }));
  const found = await mapConcurrent(parts, PARALLEL, (part) => readRangeInTurn(pk, part, reading));
  return found.flat();
}

/** Filters the visible states of items, of which some are locked. */
function filterItems(items: readonly (Item | undefined)[], shown: Expression): Item[] {
  return items.flatMap((item) => (item && shown.matches(item) ? [item] : []));
}

// Locked items are filtered here, so the projection needs all attributes of the filters.
function projectionOf(only: readonly string[], where: readonly Expression[], scope: Placeholders): string {
  const looked = where.flatMap(({ paths }) => paths);
  const names = new Set(['pk', 'sk', 'id', LOCK, PENDING, ...only, ...looked]);
  // DynamoDB rejects a path together with a parent of it.
  const whole = [...names].filter((name) => !partsAbove(name).some((above) => names.has(above)));
  return whole.map((name) => scope.name(name)).join(', ');
}

/** Returns the parents of a path: `a` and `a.b` of `a.b.c`. */
function partsAbove(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

// A query is billed by the kilobyte, a batch by the item: this many neighbours cost nothing more.
const WORTH_SKIPPING = 4;

/**
 * Reads the headers with these ids, in their order. One round trip: a query of only the attributes `only` if
 * the ids are dense, else a batch.
 */
export async function rowsAt(pk: string, ids: readonly number[], only?: readonly string[]): Promise<Item[]> {
  if (ids.length === 0) return [];
  const [from, to] = [Math.min(...ids), Math.max(...ids)];
  const isDense = to - from < ids.length * WORTH_SKIPPING;
  const items: (Item | undefined)[] = isDense
    ? await readRange(pk, { from, to }, { where: [], ...(only && { only }) })
    : await getItems(ids.map((id) => ({ pk, sk: padId(id) })));
  const byId = new Map(items.flatMap((item) => (item ? [[idOf(item), item]] : [])));
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
}

/** Returns the id of a header. */
export function idOf({ id }: Item): number {
  return Number(id);
}
