import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { readNames } from '#lib/reports/frame/names.ts';
import { inOrderOfCurrency, inOrderOfKey } from '#lib/reports/frame/order.ts';
import { DaysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';
import type { Report } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { returnedVatRollups, soldVatRollups, vatRateOf } from '#lib/reports/rollups/vat.ts';
import { readSalesSelection, type SalesSelection } from '#lib/reports/sales/selection.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { type Rollup, readRollups } from '#lib/table/rollups/read.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import { addVat, VatRow, type VatSums, vatFigures, vatSums } from './figures.ts';

/** Query string of the report. */
export const VatQuery = z.strictObject(
  reportParameters(['day', 'month', 'company', 'cashbox'], {
    date: DaysFilter,
    company_id: Ids,
    cashbox_id: Ids,
  }),
);

type Query = z.output<typeof VatQuery>;

/** The report as a workbook. */
export const vatSheet = reportSheet(VatRow, 'report.vat');

/** Sums of a row. */
interface Group extends VatSums {
  readonly key: number | string | null;
  readonly currency: Currency;
  readonly vat_percent: MinorUnits | null;
}

/**
 * Sums sold and returned amounts of a period by VAT rate, within the caller's reach; totals are of each
 * currency and rate. 422 as for the report of sales. Two round trips, a third for names. Part 5, 5A.2, 5.
 */
export async function vatReport(actor: Staff, query: Query): Promise<Report<VatRow>> {
  const { tenant } = actor;
  const selecting = inBackground(readSalesSelection(actor, query));
  const [selection, sold, returned] = await Promise.all([
    selecting,
    readRollups(soldVatRollups, tenant, selecting),
    readRollups(returnedVatRollups, tenant, selecting),
  ]);
  const sums = [
    ...sumsIn(sold, 'sold', selection, query.group),
    ...sumsIn(returned, 'returned', selection, query.group),
  ];
  const groups = addUp(sums);
  const labelOf = await labelsOf(tenant, query.group, groups);
  return {
    data: groups.map((each) => rowOf(each, labelOf(each.key))),
    totals: addUp(sums.map((each) => ({ ...each, key: null }))).map((each) => rowOf(each, null)),
    period: query.filter.date,
  };
}

/** Lists the sums of each selected cell. */
function sumsIn(
  rollups: readonly Rollup[],
  side: 'sold' | 'returned',
  { isCompany, isDay }: SalesSelection,
  group: Query['group'],
): Group[] {
  return rollups.flatMap(({ period, group: desk, cells }) =>
    cells.flatMap(({ of: [date = 0, rank = 0, company = 0, rate = 0], sums }) => {
      const day = `${period}-${String(date).padStart(2, '0')}`;
      if (!isCompany(company) || !isDay(day)) return [];
      const keys = { day, month: period, company, cashbox: Number(desk) };
      const currency = Currency.options[rank] ?? 'uzs';
      return [{ ...vatSums(side, sums), key: keys[group], currency, vat_percent: vatRateOf(rate) }];
    }),
  );
}

/** Sums by key, currency and rate, sorted, the lowest rate first. */
function addUp(sums: readonly Group[]): Group[] {
  const byRow = Map.groupBy(sums, ({ key, currency, vat_percent }) => `${key} ${currency} ${vat_percent}`);
  const groups = [...byRow.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ...others.reduce<VatSums>(addVat, first) }] : [],
  );
  return groups.sort(
    (a, b) => inOrderOfKey(a, b) || inOrderOfCurrency(a, b) || (a.vat_percent ?? -1) - (b.vat_percent ?? -1),
  );
}

/** Reads the labels of rows. One round trip; none for days and months. */
async function labelsOf(tenant: Tenant, group: Query['group'], rows: readonly Group[]) {
  if (group === 'day' || group === 'month') return (key: Group['key']) => (key === null ? null : String(key));
  const ids = rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
  const nameOf = await readNames({ type: group === 'company' ? 'company' : desks.type, tenant }, ids);
  return (key: Group['key']) => (typeof key === 'number' ? nameOf(key) : null);
}

function rowOf({ key, currency, vat_percent, ...sums }: Group, label: string | null): VatRow {
  return { key, label, currency, vat_percent, ...vatFigures(sums) };
}
