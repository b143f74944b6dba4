import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, tableName } from './client.ts';
import { all, any, type Expression, Placeholders, present } from './expression.ts';
import { paddedId } from './keys.ts';
import { MARK, markOf } from './mark.ts';
import { viewOf } from './view.ts';

/** A stretch of a partition, by ids, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** All ids there can be. */
export const WHOLE: Range = { from: 0, to: 999_999_999_999 };

/** What to read of a stretch. */
export interface Reading {
  readonly where: readonly Expression[];
}

/** What DynamoDB reads at once, a megabyte at most: the headers that the filters leave, and the stretch that is left. */
export async function readAnswer(
  pk: string,
  { from, to }: Range,
  { where }: Reading,
  descending = false,
): Promise<{ readonly items: Item[]; readonly left: Range | undefined }> {
  const scope = new Placeholders();
  const shown = all(where);
  const [partition, first, last] = [scope.value(pk), scope.value(paddedId(from)), scope.value(paddedId(to))];
  const query = new QueryCommand({
    TableName: tableName(),
    KeyConditionExpression: `${scope.name('pk')} = ${partition} AND ${scope.name('sk')} BETWEEN ${first} AND ${last}`,
    // What a journal has taken comes too, whatever it holds: it may be about to change.
    ...(where.length > 0 && { FilterExpression: any([present(MARK), shown]).render(scope) }),
    ...scope.parameters,
    ScanIndexForward: !descending,
    ConsistentRead: true,
  });
  for (;;) {
    const { Items: read = [], LastEvaluatedKey: end } = await documents.send(query);
    const items = await viewOf(read);
    // A journal has ended since they were read: they are read again.
    if (!items) continue;
    const shownItems = read.some(markOf) ? shownOf(items, shown) : read;
    return { items: shownItems, left: end && beyond(Number(end['sk']), { from, to }, descending) };
  }
}

/** What is left of a stretch, undefined where nothing is: DynamoDB may stop at the very end. */
function beyond(reached: number, { from, to }: Range, descending: boolean): Range | undefined {
  const left = descending ? { from, to: reached - 1 } : { from: reached + 1, to };
  return left.from <= left.to ? left : undefined;
}

/** What the filters leave of items some of which a journal has taken. */
function shownOf(items: readonly (Item | undefined)[], shown: Expression): Item[] {
  return items.flatMap((item) => (item && shown.holds(item) ? [item] : []));
}
