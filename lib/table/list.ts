import type { Item } from './client.ts';
import type { Expression } from './expression.ts';
import { type Range, readAnswer, WHOLE } from './ranges.ts';

/** Which rows of a partition to show, and in what order. */
export interface ListRequest {
  readonly where: readonly Expression[];
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly page: number;
  readonly pageSize: number;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/**
 * One page of a partition's headers with the exact total. Reads every header the filters leave to be looked at,
 * a megabyte to a round trip, and keeps no more of them than the order needs.
 */
export async function listItems(pk: string, request: ListRequest): Promise<Page<Item>> {
  const { sort, page, pageSize } = request;
  const from = (page - 1) * pageSize;
  const byKey = sort.field === 'id';
  const kept: Item[] = [];
  let total = 0;
  for await (const items of headers(pk, request)) {
    kept.push(
      ...(byKey ? items.slice(Math.max(0, from - total), Math.max(0, from + pageSize - total)) : items),
    );
    total += items.length;
  }
  const rows = byKey ? kept : kept.sort(order(sort)).slice(from, from + pageSize);
  return { rows, total, page, pageSize };
}

/** The headers the filters leave, as many at a time as DynamoDB reads at once. */
async function* headers(pk: string, { where, sort }: ListRequest): AsyncGenerator<Item[]> {
  for (let left: Range | undefined = WHOLE; left; ) {
    const answer = await readAnswer(pk, left, { where }, sort.field === 'id' && sort.descending);
    yield answer.items;
    left = answer.left;
  }
}

function order({ field, descending }: ListRequest['sort']) {
  const sign = descending ? -1 : 1;
  return (a: Item, b: Item) => sign * (compare(a[field], b[field]) || compare(a['id'], b['id']));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}
