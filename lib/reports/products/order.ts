import { Currency } from '#lib/values/money.ts';
import type { ProductsRow } from './figures.ts';
import type { ProductsSort } from './query.ts';

type Figured = Omit<ProductsRow, 'label'>;

/** Orders rows by a figure, those without it last; then by id, what has none last, and by currency. */
export function byFigure({ field, descending }: ProductsSort): (one: Figured, other: Figured) => number {
  return (one, other) =>
    compareFigures(one[field], other[field], descending) ||
    idOf(one) - idOf(other) ||
    placeOf(one) - placeOf(other);
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

function idOf({ key }: Figured): number {
  return Number(key ?? Number.MAX_SAFE_INTEGER);
}

function placeOf({ currency }: Figured): number {
  return Currency.options.indexOf(currency);
}
