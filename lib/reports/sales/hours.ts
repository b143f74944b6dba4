import { among } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { recordsAt } from '#lib/reports/frame/names.ts';
import { costCorrectionRollups } from '#lib/reports/rollups/cost-corrections.ts';
import { returnsRollups } from '#lib/reports/rollups/returns.ts';
import { salesRollups } from '#lib/reports/rollups/sales.ts';
import { tenderRollups } from '#lib/reports/rollups/tenders.ts';
import { type Expression, within } from '#lib/table/expression.ts';
import type { Source, Tenant } from '#lib/table/keys.ts';
import { listIds } from '#lib/table/list/walk-list.ts';
import type { Fact, RollupKind } from '#lib/table/rollups/kind.ts';
import { costCorrections } from '#lib/trade/goods-receipt/cost-correction.ts';
import { saleReturns } from '#lib/trade/return/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { saleTenders } from '#lib/trade/sale-tender/record.ts';
import { endOfDay, hourOf, startOfDay } from '#lib/values/time.ts';
import type { SalesFilter } from './query.ts';
import type { SalesSelection } from './selection.ts';
import { type Cells, correctionsIn, documentsIn, type Group } from './sums.ts';

/** Most documents of a report by hour. Part 5, 5B.12, 2. */
export const MAX_DOCUMENTS = 20_000;

/** Documents of a kind, and the instant of their hour. */
interface Kind {
  readonly rollups: RollupKind;
  readonly source: Source;
  readonly time: string;
  readonly where: readonly Expression[];
}

/** Cells of the documents of an hour. */
interface CellsOfHour extends Cells {
  readonly hour: string;
}

/**
 * Sums sales, returns and their corrections by hour, from the documents themselves: rollups know days.
 * Undefined if there are over 20 000. Six round trips at most, four up to 8000 of a kind.
 */
export async function readHours(
  actor: Staff,
  filter: SalesFilter,
  selecting: Promise<SalesSelection>,
): Promise<Group[] | undefined> {
  const { tenant } = actor;
  const kinds = kindsOf(actor, filter);
  const [selection, ...found] = await Promise.all([
    selecting,
    ...kinds.map(({ source, where, time }) => {
      const days = within(time, startOfDay(filter.date.from), endOfDay(filter.date.to));
      const sort = { field: 'id', descending: false };
      return listIds(source, { where: [days, ...where], sort, only: [] }, MAX_DOCUMENTS);
    }),
  ]);
  if (found.reduce((sum, { total }) => sum + total, 0) > MAX_DOCUMENTS) return undefined;
  const [sold = [], returned = [], tendered = [], corrected = []] = await Promise.all(
    kinds.map((kind, index) => readCells(tenant, kind, found[index]?.ids ?? [])),
  );
  const { isGroup, corrections } = selection;
  const isOfDesk = ({ group }: Cells) => isGroup(group);
  return [
    ...byHour(sold.filter(isOfDesk), (cells, hour) => documentsIn(cells, 'sold', selection, () => hour)),
    ...byHour(returned.filter(isOfDesk), (cells, hour) =>
      documentsIn(cells, 'returned', selection, () => hour),
    ),
    ...byHour(tendered.filter(isOfDesk), (cells, hour) =>
      documentsIn(cells, 'tendered', selection, () => hour),
    ),
    ...byHour(
      corrected.filter(({ group }) => corrections.isGroup(group)),
      (cells, hour) => correctionsIn(cells, selection, () => hour),
    ),
  ];
}

/** Lists the kinds of documents of a selection: corrections of costs have no desk. */
function kindsOf({ tenant, companies, cashDesks }: Staff, filter: SalesFilter): Kind[] {
  const ofCompanies = among('company_id', filter.company_id ?? companies);
  const atDesks = [...ofCompanies, ...among('cashbox_id', filter.cashbox_id ?? cashDesks)];
  const isByDesk = filter.cashbox_id !== undefined || cashDesks !== 'all';
  const sold = { rollups: salesRollups, source: sourceOf(sales, tenant), time: 'sold_at', where: atDesks };
  const returned = { rollups: returnsRollups, source: sourceOf(saleReturns, tenant), where: atDesks };
  const tendered = { rollups: tenderRollups, source: sourceOf(saleTenders, tenant), where: atDesks };
  const corrected = { rollups: costCorrectionRollups, source: sourceOf(costCorrections, tenant) };
  const time = 'created_at';
  const costs = isByDesk ? [] : [{ ...corrected, time, where: ofCompanies }];
  return [sold, { ...returned, time }, { ...tendered, time }, ...costs];
}

/** Reads documents, and makes their facts the cells of their hours. */
async function readCells(
  tenant: Tenant,
  { rollups, source, time }: Kind,
  ids: readonly number[],
): Promise<CellsOfHour[]> {
  const headers = await recordsAt(source, ids, [...rollups.only, time]);
  const facts = await rollups.factsOf(tenant, [...headers.values()]);
  return facts.map((fact) => ({ ...cellsOf(fact), hour: hourOf(Number(headers.get(fact.id)?.[time])) }));
}

function cellsOf({ group, period, of, sums }: Fact): Cells {
  return { group, period, cells: [{ of, sums: sums.map(BigInt) }] };
}

function byHour(cells: readonly CellsOfHour[], sumsOf: (cells: Cells[], hour: string) => Group[]): Group[] {
  return [...Map.groupBy(cells, ({ hour }) => hour)].flatMap(([hour, each]) => sumsOf(each, hour));
}
