import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { countWaitingByDesk } from '#lib/cash/desk/waiting.ts';
import { listBareDocuments } from '#lib/records/documents.ts';
import { CashRow, cashReport } from '#lib/reports/cash/cash.ts';
import { Ids } from '#lib/reports/frame/query.ts';
import { companiesFor, memberOf, pick, placesFor } from '#lib/reports/frame/reach.ts';
import { ProductsRow } from '#lib/reports/products/figures.ts';
import { productsReport } from '#lib/reports/products/products.ts';
import { countBelowMinimum } from '#lib/reports/reorder/below-minimum.ts';
import { SalesRow } from '#lib/reports/sales/figures.ts';
import { salesByHour, salesOfDays } from '#lib/reports/sales/sales.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';
import type { Locale } from '#lib/values/text.ts';
import { dayOf, daysAfter, type Instant, Timestamp } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Query string of the day's figures. */
export const TodayQuery = z.strictObject({
  filter: z.strictObject({ company_id: Ids }).default({ company_id: undefined }),
});

type Filter = z.output<typeof TodayQuery>['filter'];

/** Figures of the day so far; a part whose right the caller lacks is null. Part 5, 5B.12, 3. */
export const Today = z.object({
  now: Timestamp,
  sales: z
    .object({ today: z.array(SalesRow), yesterday: z.array(SalesRow), week_ago: z.array(SalesRow) })
    .nullable(),
  /** Null above 20 000 documents, too. */
  hours: z.array(SalesRow).nullable(),
  products: z.array(ProductsRow).nullable(),
  cash: z.array(CashRow).nullable(),
  open_shifts: z.int().nullable(),
  refused_sales: z.int().nullable(),
  below_minimum: z.int().nullable(),
});

/** Rights of the parts. */
export const TODAY_RIGHTS = {
  sales: 'company.report.sales',
  products: 'company.report.products',
  cost: COST_RIGHT,
  cash: 'company.report.cash',
  shifts: 'company.trade.cashbox-shift.index',
  refused: 'company.trade.sale.refused.index',
  minimum: 'company.report.reorder',
} as const;

/** Products of the day that are shown. */
const MAX_PRODUCTS = 10;

/**
 * Reads the figures of the day in the companies asked. 422 on a company out of the caller's reach. Six round
 * trips at most.
 */
export async function readToday(
  actor: Staff,
  { filter }: z.output<typeof TodayQuery>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
): Promise<z.input<typeof Today>> {
  const day = dayOf(at);
  const ofDay = { ...filter, date: { from: day, to: day } };
  const may = (part: keyof typeof TODAY_RIGHTS) => hasRight(actor, TODAY_RIGHTS[part]);
  const [sales, hours, products, cash, open_shifts, refused_sales, below_minimum] = await Promise.all([
    may('sales') && may('cost') ? readSales(actor, filter, at) : null,
    may('sales') && may('cost') ? salesByHour(actor, ofDay) : null,
    may('products') && may('cost') ? readProducts(actor, ofDay, locale) : null,
    may('cash') ? cashReport(actor, { group: 'cashbox', filter: ofDay }) : null,
    may('shifts') ? countOpenShifts(actor, filter) : null,
    may('refused') ? countRefused(actor, filter) : null,
    may('minimum') ? countUnderMinimum(actor, filter) : null,
    requireReach(actor, filter),
  ]);
  const counts = { open_shifts, refused_sales, below_minimum };
  return { now: at, sales, hours, products, cash: cash?.data ?? null, ...counts };
}

async function readSales(actor: Staff, filter: Filter, at: Instant) {
  const day = dayOf(at);
  const days = [day, daysAfter(day, -1), daysAfter(day, -7)];
  const [today = [], yesterday = [], week_ago = []] = await salesOfDays(actor, filter, days);
  return { today, yesterday, week_ago };
}

async function readProducts(
  actor: Staff,
  filter: Parameters<typeof productsReport>[1]['filter'],
  locale: Locale,
) {
  const sort = { field: 'revenue', descending: true } as const;
  const page = { page: 1, 'page-size': MAX_PRODUCTS };
  return (await productsReport(actor, { group: 'product', filter, sort, ...page }, locale)).data;
}

async function countOpenShifts(actor: Staff, { company_id }: Filter): Promise<number> {
  const ofCompanies = company_id ? [oneOf('company_id', company_id)] : [];
  const where = [equals('status', 'open'), ...ofCompanies];
  const sort = { field: 'id', descending: true };
  const list = { where, sort, page: 1, pageSize: 1, isBare: true } as const;
  return (await listBareDocuments(shifts, actor, list)).total;
}

async function countRefused(actor: Staff, { company_id }: Filter): Promise<number> {
  const [open, waiting] = await Promise.all([
    placesFor(actor, desks.type, actor.cashDesks),
    countWaitingByDesk(actor.tenant),
  ]);
  const isAsked = memberOf(company_id ?? 'all');
  const asked = open.filter((desk) => isAsked(desk.company_id));
  return asked.reduce((sum, { id }) => sum + (waiting.get(id) ?? 0), 0);
}

async function countUnderMinimum(actor: Staff, { company_id }: Filter): Promise<number> {
  const isAsked = memberOf(company_id ?? actor.companies);
  const counts = [...(await countBelowMinimum(actor.tenant))].filter(([company]) => isAsked(company));
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** Requires that the companies asked are open to the caller, whichever parts they may see. */
async function requireReach(actor: Staff, { company_id }: Filter): Promise<void> {
  if (!company_id) return;
  const issues = new ValidationIssues();
  pick(await companiesFor(actor), company_id, 'filter.company_id', issues);
  issues.throwIfAny();
}
