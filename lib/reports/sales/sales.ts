import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { nameOfUserItem } from '#lib/people/user/colleague.ts';
import { users } from '#lib/people/user/user.ts';
import { readNames, recordsAt } from '#lib/reports/frame/names.ts';
import { inOrderOfCurrency, inOrderOfKey } from '#lib/reports/frame/order.ts';
import type { Report } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { costCorrectionRollups } from '#lib/reports/rollups/cost-corrections.ts';
import { returnsRollups } from '#lib/reports/rollups/returns.ts';
import { salesRollups } from '#lib/reports/rollups/sales.ts';
import { PLATFORM, type Tenant } from '#lib/table/keys.ts';
import type { RollupCell } from '#lib/table/rollups/cell.ts';
import type { RollupLocation } from '#lib/table/rollups/kind.ts';
import { type Rollup, readRollups } from '#lib/table/rollups/read.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Currency } from '#lib/values/money.ts';
import { daysOf } from '#lib/values/time.ts';
import { addSales, figuresOf, NO_SALES, SalesRow, type SalesSums } from './figures.ts';
import type { SalesGroup, SalesQuery } from './query.ts';
import { readSalesSelection, type SalesSelection } from './selection.ts';

/** The report as a workbook. */
export const salesSheet = reportSheet(SalesRow, 'report.sales');

/** Key of a row: an id, a day or a month; null in totals. */
type Key = number | string | null;

/** Sums of a row. */
interface Group extends SalesSums {
  readonly key: Key;
  readonly currency: Currency;
}

/**
 * Sums sales and returns of a period within the caller's reach. 422 on a filter out of reach, and on too many
 * days. Two round trips, a third for names.
 */
export async function salesReport(
  actor: Staff,
  query: z.output<typeof SalesQuery>,
): Promise<Report<z.input<typeof SalesRow>>> {
  const { tenant } = actor;
  const { date } = query.filter;
  const selecting = inBackground(readSalesSelection(actor, query));
  const [selection, sold, returned, corrected, rates] = await Promise.all([
    selecting,
    readRollups(salesRollups, tenant, selecting),
    readRollups(returnsRollups, tenant, selecting),
    readRollups(
      costCorrectionRollups,
      tenant,
      inBackground(selecting.then(({ corrections }) => corrections)),
    ),
    query.group === 'day' ? ratesOf(tenant, actor.companyId) : undefined,
  ]);
  const sums = [
    ...sumsIn(sold, 'sold', selection, query.group),
    ...sumsIn(returned, 'returned', selection, query.group),
    ...correctionsIn(corrected, selection, query.group),
  ];
  const totals = addUp(sums.map((each) => ({ ...each, key: null })));
  const currencies = totals.map(({ currency }) => currency);
  const days = rates ? emptyDays(date, currencies.length > 0 ? currencies : [rates.saleCurrency]) : [];
  const groups = addUp([...sums, ...days]);
  const labelOf = await labelsOf(tenant, query.group, groups);
  return {
    data: groups.map((each) => rowOf(each, labelOf(each.key))),
    totals: totals.map((each) => rowOf(each, null)),
    period: date,
  };
}

/** Lists the sums of each selected cell. */
function sumsIn(
  rollups: readonly Rollup[],
  what: keyof SalesSums,
  { isCompany, isDay }: SalesSelection,
  group: SalesGroup,
): Group[] {
  return rollups.flatMap((rollup) =>
    rollup.cells.flatMap((cell) => {
      const { day, company, currency } = partsOf(rollup, cell);
      if (!isCompany(company) || !isDay(day)) return [];
      return [{ ...NO_SALES, [what]: cell.sums, key: keyOf(group, rollup, cell), currency }];
    }),
  );
}

/** Lists the corrections of costs by the key of their rows; they have no desk and no cashier. */
function correctionsIn(rollups: readonly Rollup[], { isDay }: SalesSelection, group: SalesGroup): Group[] {
  return rollups.flatMap((rollup) =>
    rollup.cells.flatMap((cell) => {
      const { day, currency } = partsOf(rollup, cell);
      const keys = { day, month: rollup.period, company: Number(rollup.group), cashbox: null, creator: null };
      return isDay(day) ? [{ ...NO_SALES, corrected: cell.sums, key: keys[group], currency }] : [];
    }),
  );
}

function partsOf(
  { period }: RollupLocation,
  { of: [day = 0, currency = 0, creator = 0, company = 0] }: RollupCell,
) {
  const date = `${period}-${String(day).padStart(2, '0')}`;
  return { day: date, currency: Currency.options[currency] ?? 'uzs', creator, company };
}

function keyOf(group: SalesGroup, rollup: RollupLocation, cell: RollupCell): Key {
  const { day, creator, company } = partsOf(rollup, cell);
  const keys = { day, month: rollup.period, company, cashbox: Number(rollup.group), creator };
  return keys[group];
}

/** Sums by key and currency, sorted. */
function addUp(sums: readonly Group[]): Group[] {
  const byRow = Map.groupBy(sums, ({ key, currency }) => `${key} ${currency}`);
  const groups = [...byRow.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ...others.reduce<SalesSums>(addSales, first) }] : [],
  );
  return groups.sort((a, b) => inOrderOfKey(a, b) || inOrderOfCurrency(a, b));
}

/** Returns zero sums for each day in each currency, so that each has a row. Part 4, 4.5, 3. */
function emptyDays(
  { from, to }: z.output<typeof SalesQuery>['filter']['date'],
  currencies: readonly Currency[],
): Group[] {
  return daysOf(from, to).flatMap((day) =>
    currencies.map((currency) => ({ ...NO_SALES, key: day, currency })),
  );
}

/** Reads the labels of rows. One round trip; none for days and months. */
async function labelsOf(tenant: Tenant, group: SalesGroup, rows: readonly Group[]) {
  const ids = rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
  if (group === 'day' || group === 'month') return (key: Key) => (key === null ? null : String(key));
  if (group === 'creator') {
    // A user moved to another family is no longer among this family's users.
    const people = await recordsAt({ type: users.type, tenant: PLATFORM }, ids, ['person', 'username']);
    return (key: Key) => {
      const person = typeof key === 'number' && people.get(key);
      return person ? nameOfUserItem(person) : null;
    };
  }
  const nameOf = await readNames({ type: group === 'company' ? 'company' : desks.type, tenant }, ids);
  return (key: Key) => (typeof key === 'number' ? nameOf(key) : null);
}

function rowOf({ key, currency, ...sums }: Group, label: string | null): SalesRow {
  return { key, label, currency, ...figuresOf(sums) };
}
