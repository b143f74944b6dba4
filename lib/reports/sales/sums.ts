import type { RollupCell } from '#lib/table/rollups/cell.ts';
import type { Rollup } from '#lib/table/rollups/read.ts';
import { Currency } from '#lib/values/money.ts';
import { NO_SALES, type SalesSums } from './figures.ts';
import type { SalesSelection } from './selection.ts';

/** Key of a row: an id, a day, an hour or a month; null in totals. */
export type GroupKey = number | string | null;

/** Sums of a row. */
export interface Group extends SalesSums {
  readonly key: GroupKey;
  readonly currency: Currency;
}

/** Cells of a group and a month, stored or of some documents alone. */
export type Cells = Pick<Rollup, 'group' | 'period' | 'cells'>;

/** Time, place and currency of a cell. */
export interface CellParts {
  readonly day: string;
  readonly month: string;
  readonly company: number;
  /** Null for corrections of costs, which have no desk and no cashier. */
  readonly cashbox: number | null;
  readonly creator: number | null;
  readonly currency: Currency;
}

/** Lists the sums of each selected cell of sales, of returns, or of corrections of payment types. */
export function documentsIn(
  rollups: readonly Cells[],
  what: 'sold' | 'returned' | 'tendered',
  { isCompany, isDay }: Pick<SalesSelection, 'isCompany' | 'isDay'>,
  keyOf: (parts: CellParts) => GroupKey,
): Group[] {
  return rollups.flatMap((rollup) =>
    rollup.cells.flatMap((cell) => {
      const parts = partsOf(rollup, cell);
      if (!isCompany(parts.company) || !isDay(parts.day)) return [];
      return [{ ...NO_SALES, [what]: cell.sums, key: keyOf(parts), currency: parts.currency }];
    }),
  );
}

/** Lists the corrections of costs by the key of their rows. */
export function correctionsIn(
  rollups: readonly Cells[],
  { isDay }: Pick<SalesSelection, 'isDay'>,
  keyOf: (parts: CellParts) => GroupKey,
): Group[] {
  return rollups.flatMap((rollup) =>
    rollup.cells.flatMap((cell) => {
      const parts = { ...partsOf(rollup, cell), company: Number(rollup.group), cashbox: null, creator: null };
      if (!isDay(parts.day)) return [];
      return [{ ...NO_SALES, corrected: cell.sums, key: keyOf(parts), currency: parts.currency }];
    }),
  );
}

function partsOf(
  { group, period }: Cells,
  { of: [day = 0, currency = 0, creator = 0, company = 0] }: RollupCell,
) {
  return {
    day: `${period}-${String(day).padStart(2, '0')}`,
    month: period,
    company,
    cashbox: Number(group),
    creator,
    currency: Currency.options[currency] ?? 'uzs',
  };
}
