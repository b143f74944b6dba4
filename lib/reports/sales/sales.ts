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
import { tenderRollups } from '#lib/reports/rollups/tenders.ts';
import { PLATFORM, type Tenant } from '#lib/table/keys.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { invalid } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Currency } from '#lib/values/money.ts';
import { type Day, daysOf, hoursOf } from '#lib/values/time.ts';
import { addSales, figuresOf, NO_SALES, SalesRow, type SalesSums } from './figures.ts';
import { MAX_DOCUMENTS, readHours } from './hours.ts';
import type { SalesFilter, SalesGroup, SalesQuery } from './query.ts';
import { readSalesSelection, type SalesSelection } from './selection.ts';
import { type CellParts, correctionsIn, documentsIn, type Group, type GroupKey } from './sums.ts';

/** The report as a workbook. */
export const salesSheet = reportSheet(SalesRow, 'report.sales');

/** Sums of a period, and the currency of its empty rows. */
interface Read {
  readonly sums: readonly Group[];
  /** Undefined for a grouping without empty rows. */
  readonly currency: Currency | undefined;
}

type Query = Pick<z.output<typeof SalesQuery>, 'group' | 'filter'>;

/**
 * Sums sales and returns of a period within the caller's reach. 422 on a filter out of reach, on too many
 * days, and by hour on too many documents. Two round trips, a third for names; by hour as in `readHours`.
 */
export async function salesReport(actor: Staff, query: Query): Promise<Report<SalesRow>> {
  const read = await readSums(actor, query);
  if (!read) throw invalid({ 'filter.date': { key: 'report.too_many_rows', with: { max: MAX_DOCUMENTS } } });
  return reportOf(actor, query, read);
}

/** Lists the rows of a day by hour; null if there are too many documents. 422 likewise. */
export async function salesByHour(actor: Staff, filter: SalesFilter): Promise<SalesRow[] | null> {
  const query = { group: 'hour', filter } as const;
  const read = await readSums(actor, query);
  return read ? (await reportOf(actor, query, read)).data : null;
}

/**
 * Lists the rows of single days, each as if it was the report's period, of one read of all. 422 on a filter
 * out of reach. Two round trips.
 */
export async function salesOfDays(
  actor: Staff,
  { company_id }: Pick<SalesFilter, 'company_id'>,
  days: readonly Day[],
): Promise<SalesRow[][]> {
  const [from = '', to = ''] = [days.toSorted().at(0), days.toSorted().at(-1)];
  const read = await readSums(actor, { group: 'day', filter: { company_id, date: { from, to } } });
  const reports = await Promise.all(
    days.map((day) => {
      const sums = (read?.sums ?? []).filter(({ key }) => key === day);
      const query = { group: 'day', filter: { date: { from: day, to: day } } } as const;
      return reportOf(actor, query, { sums, currency: read?.currency });
    }),
  );
  return reports.map(({ data }) => data);
}

/** Reads the sums of a grouping; undefined if there are too many documents for hours. */
async function readSums(actor: Staff, { group, filter }: Query): Promise<Read | undefined> {
  const selecting = inBackground(readSalesSelection(actor, { group, filter }));
  const [sums, rates] = await Promise.all([
    group === 'hour' ? readHours(actor, filter, selecting) : readGroups(actor.tenant, group, selecting),
    group === 'day' || group === 'hour' ? ratesOf(actor.tenant, actor.companyId) : undefined,
  ]);
  return sums && { sums, currency: rates?.saleCurrency };
}

/** Sums rollups. Two round trips. */
async function readGroups(
  tenant: Tenant,
  group: Exclude<SalesGroup, 'hour'>,
  selecting: Promise<SalesSelection>,
): Promise<Group[]> {
  const correcting = inBackground(selecting.then(({ corrections }) => corrections));
  const [selection, sold, returned, tendered, corrected] = await Promise.all([
    selecting,
    readRollups(salesRollups, tenant, selecting),
    readRollups(returnsRollups, tenant, selecting),
    readRollups(tenderRollups, tenant, selecting),
    readRollups(costCorrectionRollups, tenant, correcting),
  ]);
  const keyOf = (parts: CellParts) => parts[group];
  return [
    ...documentsIn(sold, 'sold', selection, keyOf),
    ...documentsIn(returned, 'returned', selection, keyOf),
    ...documentsIn(tendered, 'tendered', selection, keyOf),
    ...correctionsIn(corrected, selection, keyOf),
  ];
}

/** Builds the report of sums. A round trip for names, if it has any. */
async function reportOf(
  { tenant }: Staff,
  { group, filter: { date } }: Query,
  { sums, currency }: Read,
): Promise<Report<SalesRow>> {
  const totals = addUp(sums.map((each) => ({ ...each, key: null })));
  const currencies = totals.map((each) => each.currency);
  const shown = currencies.length > 0 || !currency ? currencies : [currency];
  const groups = addUp([...sums, ...emptyRows(emptyKeys(group, date), shown)]);
  const labelOf = await labelsOf(tenant, group, groups);
  return {
    data: groups.map((each) => rowOf(each, labelOf(each.key))),
    totals: totals.map((each) => rowOf(each, null)),
    period: date,
  };
}

/** Sums by key and currency, sorted. */
function addUp(sums: readonly Group[]): Group[] {
  const byRow = Map.groupBy(sums, ({ key, currency }) => `${key} ${currency}`);
  const groups = [...byRow.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ...others.reduce<SalesSums>(addSales, first) }] : [],
  );
  return groups.sort((a, b) => inOrderOfKey(a, b) || inOrderOfCurrency(a, b));
}

/** Lists the keys that have a row even without documents: days, and hours. Part 4, 4.5, 3. */
function emptyKeys(group: SalesGroup, { from, to }: SalesFilter['date']): string[] {
  if (group === 'day') return daysOf(from, to);
  return group === 'hour' ? hoursOf(from, to) : [];
}

function emptyRows(keys: readonly string[], currencies: readonly Currency[]): Group[] {
  return keys.flatMap((key) => currencies.map((currency) => ({ ...NO_SALES, key, currency })));
}

/** Reads the labels of rows. One round trip; none for days, hours and months. */
async function labelsOf(tenant: Tenant, group: SalesGroup, rows: readonly Group[]) {
  const ids = rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
  if (group === 'day' || group === 'hour' || group === 'month')
    return (key: GroupKey) => (key === null ? null : String(key));
  if (group === 'creator') {
    // A user moved to another family is no longer among this family's users.
    const people = await recordsAt({ type: users.type, tenant: PLATFORM }, ids, ['person', 'username']);
    return (key: GroupKey) => {
      const person = typeof key === 'number' && people.get(key);
      return person ? nameOfUserItem(person) : null;
    };
  }
  const nameOf = await readNames({ type: group === 'company' ? 'company' : desks.type, tenant }, ids);
  return (key: GroupKey) => (typeof key === 'number' ? nameOf(key) : null);
}

function rowOf({ key, currency, ...sums }: Group, label: string | null): SalesRow {
  return { key, label, currency, ...figuresOf(sums) };
}
