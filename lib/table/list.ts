import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, tableName } from './client.ts';
import { all, any, type Expression, Placeholders, present } from './expression.ts';
import { MARK, markOf } from './mark.ts';
import { viewOf } from './view.ts';

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
  const scope = new Placeholders();
  const shown = all(where);
  const query = {
    TableName: tableName(),
    KeyConditionExpression: `${scope.name('pk')} = ${scope.value(pk)}`,
    // What a journal has taken comes too, whatever it holds: it may be about to change.
    ...(where.length > 0 && { FilterExpression: any([present(MARK), shown]).render(scope) }),
    ...scope.parameters,
    ScanIndexForward: !(sort.field === 'id' && sort.descending),
    ConsistentRead: true,
  };
  let start: QueryCommandOutput['LastEvaluatedKey'];
  for (;;) {
    const answer: QueryCommandOutput = await documents.send(
      new QueryCommand({ ...query, ...(start && { ExclusiveStartKey: start }) }),
    );
    const items = await viewOf(answer.Items ?? []);
    // A journal has ended since they were read: they are read again.
    if (!items) continue;
    yield answer.Items?.some(markOf) ? shownOf(items, shown) : (answer.Items ?? []);
    start = answer.LastEvaluatedKey;
    if (!start) return;
  }
}

/** What the filters leave of items some of which a journal has taken. */
function shownOf(items: readonly (Item | undefined)[], shown: Expression): Item[] {
  return items.flatMap((item) => (item && shown.holds(item) ? [item] : []));
}

function order({ field, descending }: ListRequest['sort']) {
  const sign = descending ? -1 : 1;
  return (a: Item, b: Item) => sign * (compare(a[field], b[field]) || compare(a['id'], b['id']));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}
