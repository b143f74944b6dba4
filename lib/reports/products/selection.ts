import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { categories } from '#lib/catalog/category.ts';
import { parseStoredKnown } from '#lib/records/stored.ts';
import { companiesFor, memberOf, pick, placesFor } from '#lib/reports/frame/reach.ts';
import { placeOfGroup } from '#lib/reports/rollups/goods.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { RollupSelection } from '#lib/table/rollups/read.ts';
import { daysBetween, daysOf } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { ProductsFilter } from './query.ts';

/** More desks than these, unless they are all desks of their companies, limit the days. Part 4, 4.5, 7. */
const MANY_DESKS = 5;
const MAX_DAYS_OF_MANY = 31;

const Branch = z.object({ id: z.int(), parent_id: z.int().nullable() });

type Branch = z.output<typeof Branch>;

/** Selection of sold and returned goods. */
export interface ProductsSelection extends RollupSelection {
  /** Categories of the goods; undefined for all. */
  readonly categories: ReadonlySet<number> | undefined;
  /** Selection of corrections of costs, which have no desk: none if desks are selected. Part 5, 5A.4, 4. */
  readonly corrections: RollupSelection;
}

/**
 * Resolves the selection of a report: the caller's reach and the filters. 422 on a filter out of reach, and
 * on too many days for so many desks. One round trip, none without filters for a caller with all desks in
 * reach.
 */
export async function readProductsSelection(
  actor: Staff,
  filter: ProductsFilter,
): Promise<ProductsSelection> {
  const { company_id, cashbox_id, stock_id, category_id, date } = filter;
  const isByDesk = cashbox_id !== undefined || actor.cashDesks !== 'all';
  const [companies, places, stocks, tree] = await Promise.all([
    company_id ? companiesFor(actor) : [],
    isByDesk ? placesFor(actor, desks.type, actor.cashDesks) : [],
    stock_id ? placesFor(actor, warehouses.type, actor.warehouses) : [],
    category_id ? readCategoryTree(actor.tenant) : [],
  ]);
  const issues = new ValidationIssues();
  pick(companies, company_id, 'filter.company_id', issues);
  pick(stocks, stock_id, 'filter.stock_id', issues);
  pick(tree, category_id, 'filter.category_id', issues);
  const picked = pick(places, cashbox_id, 'filter.cashbox_id', issues);
  const salesDesks = picked.filter(
    (desk) => desk.type === 'sale' && (company_id ?? [desk.company_id]).includes(desk.company_id),
  );
  if (salesDesks.length > MANY_DESKS && daysBetween(date.from, date.to) >= MAX_DAYS_OF_MANY) {
    issues.add('filter.date', { key: 'report.too_many_days', with: { max: MAX_DAYS_OF_MANY } });
  }
  issues.throwIfAny();
  const selected = { companies: company_id ?? actor.companies, stocks: stock_id ?? 'all' } as const;
  const isOfCompany = groupFilter({ ...selected, desks: undefined });
  const periods = daysOf(date.from, date.to);
  return {
    isGroup: isByDesk ? groupFilter({ ...selected, desks: cashbox_id ?? actor.cashDesks }) : isOfCompany,
    periods,
    corrections: { isGroup: (group) => !isByDesk && group.includes('.') && isOfCompany(group), periods },
    categories: category_id && withSubcategories(tree, category_id),
  };
}

/** Returns a predicate of rollup groups: desks' groups if desks are selected, else companies'. */
function groupFilter(selected: {
  readonly companies: 'all' | readonly number[];
  readonly stocks: 'all' | readonly number[];
  readonly desks: 'all' | readonly number[] | undefined;
}): (group: string) => boolean {
  const [isCompany, isStock] = [memberOf(selected.companies), memberOf(selected.stocks)];
  const isDesk = selected.desks && memberOf(selected.desks);
  return (group) => {
    const { company, stock, desk } = placeOfGroup(group);
    if (!isCompany(company) || !isStock(stock)) return false;
    return isDesk ? desk !== undefined && isDesk(desk) : desk === undefined;
  };
}

/** Reads the categories of a family, deleted ones too. One round trip. */
export async function readCategoryTree(tenant: Tenant): Promise<Branch[]> {
  const found = await wholePartition(partition(categories.type, tenant));
  return found.map((item) => parseStoredKnown(Branch, item));
}

/** Returns categories with all their descendants. */
export function withSubcategories(tree: readonly Branch[], ids: readonly number[]): Set<number> {
  const below = Map.groupBy(tree, ({ parent_id }) => parent_id);
  const found = new Set(ids);
  // Iterating a set also visits members added during the loop.
  for (const id of found) for (const each of below.get(id) ?? []) found.add(each.id);
  return found;
}
