import type { Item } from './client.ts';
import { sequenceKey } from './keys.ts';
import type { ListRequest, Source } from './list.ts';
import { type Range, readAnswer, readRange } from './ranges.ts';
import { getItem } from './reads.ts';
import { rowsAt } from './rows.ts';

const WHOLE: Range = { from: 0, to: 999_999_999_999 };

/**
 * A page of what filters on changing attributes leave, in any order. What one answer of DynamoDB's holds is one round
 * trip; of more, the rest is read in parallel stretches without what the page doesn't show, and then the page's rows.
 */
export async function scanPage({ type, home }: Source, pk: string, request: ListRequest) {
  const { sort, page, pageSize } = request;
  const where = [...request.settled, ...request.where];
  const descending = sort.field === 'id' && sort.descending;
  const [{ items, left }, sequence] = await Promise.all([
    readAnswer(pk, WHOLE, { where, descending }),
    getItem(sequenceKey(type, home)),
  ]);
  const last = Number(sequence?.['last'] ?? 0);
  const only = [sort.field];
  const rest = left ? await readRange(pk, { ...left, to: Math.min(left.to, last) }, { where, only }) : [];
  const rows = [...items, ...(descending ? rest.reverse() : rest)];
  if (sort.field !== 'id') rows.sort(order(sort));
  const shown = rows.slice((page - 1) * pageSize, page * pageSize);
  const whole = new Set(items);
  if (shown.every((row) => whole.has(row))) return { rows: shown, total: rows.length };
  return { rows: await rowsAt(pk, shown.map(({ id }) => Number(id))), total: rows.length };
}

function order({ field, descending }: ListRequest['sort']) {
  const sign = descending ? -1 : 1;
  return (a: Item, b: Item) => sign * (compare(a[field], b[field]) || compare(a['id'], b['id']));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}
