import { type Hold, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments } from '../frame/documents.ts';
import { holdLineName } from '../frame/entries.ts';

/** Checks every hold against its lines. One in progress keeps what went out for them, any other nothing. */
export function checkHolds(books: Books): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'holds', noun: 'hold', kind: { ...holds, line: HoldLine } },
    faultsOf,
    tiesOf: (hold, lines) => lines.flatMap((line) => tieHeld(books, hold, line)),
  });
}

function faultsOf({ amount, status, sale_id }: Hold, lines: readonly HoldLine[]): string[] {
  const sum = totalAmount(lines);
  const isSold = status === 'completed';
  return [
    ...(sum === amount ? [] : [`comes to ${amount}, its lines to ${sum}`]),
    ...(isSold === (sale_id !== null) ? [] : [`is ${status} with sale ${sale_id}`]),
    ...lines.flatMap(batchSumFaults),
  ];
}

function tieHeld({ heldByLine }: Books, { id, stock_id, status }: Hold, line: HoldLine): string[] {
  const name = holdLineName(id, line.id, stock_id);
  const is = heldByLine.get(name) ?? 0;
  heldByLine.delete(name);
  const wanted = status === 'in_progress' ? line.quantity : 0;
  return is === wanted ? [] : [`line ${line.id} should keep ${wanted}, and keeps ${is}`];
}
