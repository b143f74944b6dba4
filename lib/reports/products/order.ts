import { inOrderOfCurrency, inOrderOfId } from '#lib/reports/frame/order.ts';
import type { ProductsRow } from './figures.ts';
import type { ProductsSort } from './query.ts';

type Figured = Omit<ProductsRow, 'label'>;

/**
 * Returns a comparator by a figure, rows without it last; then by id, rows without one last, and by currency.
 */
export function byFigure({ field, descending }: ProductsSort): (one: Figured, other: Figured) => number {
  return (one, other) =>
    compareFigures(one[field], other[field], descending) ||
    inOrderOfId(one, other) ||
    inOrderOfCurrency(one, other);
}

function compareFigures(
  one: number | bigint | null,
  other: number | bigint | null,
  descending: boolean,
): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other === descending ? 1 : -1;
}
