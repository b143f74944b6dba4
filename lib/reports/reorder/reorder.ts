import type { Staff } from '#lib/auth/actor.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { productNames } from '#lib/reports/frame/cards.ts';
import { recordsAt } from '#lib/reports/frame/names.ts';
import { inOrderOfId } from '#lib/reports/frame/order.ts';
import { memberOf, pick, placesFor } from '#lib/reports/frame/reach.ts';
import type { ReportPage } from '#lib/reports/frame/report.ts';
import { sumGoods } from '#lib/reports/products/goods.ts';
import { readCategoryTree, withSubcategories } from '#lib/reports/products/selection.ts';
import { placeOfGroup, returnedGoodsRollups, soldGoodsRollups } from '#lib/reports/rollups/goods.ts';
import { readWarehouseGoods, type WarehouseGoods } from '#lib/reports/stock/goods.ts';
import { newest } from '#lib/stock/batch-part.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { pageSlice } from '#lib/table/read/request.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { dayOf, daysAfter, daysOf, type Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type OrderedCard, readOrderedCards } from './cards.ts';
import { daysLeft, orderQuantity } from './needs.ts';
import type { ReorderQuery, ReorderRow } from './row.ts';

type Row = Omit<ReorderRow, 'key' | 'label'> & { readonly key: number };

/**
 * Computes the quantities to order by product, over the warehouses asked that are open to the caller. 422 on
 * a filter out of reach, and if there are over 200 000 stock levels or products. Returns a page of the rows,
 * all of them for a workbook. Part 5, 5A.10, 1.
 */
export async function reorderReport(
  actor: Staff,
  query: ReorderQuery,
  at: Instant,
): Promise<ReportPage<ReorderRow>> {
  const { tenant } = actor;
  const { stockIds, categoryIds } = await readSelection(actor, query.filter);
  const [cards, goods, sold] = await Promise.all([
    readOrderedCards(tenant, categoryIds),
    readWarehouseGoods(tenant, stockIds, at),
    readSold(tenant, stockIds, { days: query.days, at }),
  ]);
  const accuracies = await readAccuracies(tenant, cards.values());
  const byProduct = Map.groupBy(goods, ({ product_id }) => product_id);
  const rows = [...cards].map(([id, card]) => {
    const own = { goods: byProduct.get(id) ?? [], sold: sold.get(id) ?? 0n };
    return rowOf(id, card, { ...own, accuracy: accuracies.get(card.unit_id), query });
  });
  const data = rows.filter((row) => query.all || row.order_quantity > 0n).sort(inOrderOfId);
  const page = { page: query.page, pageSize: query['page-size'] };
  const shown = query.format === 'excel' ? data : pageSlice(data, page);
  const isShown = memberOf(shown.map(({ key }) => key));
  const nameOf = await productNames(tenant, new Map([...cards].filter(([id]) => isShown(id))));
  return {
    data: shown.map((row) => ({ ...row, label: nameOf(row.key) })),
    total: data.length,
    totals: [],
    period: null,
  };
}

/** Resolves the filters within the caller's reach. 422 on one out of it. One round trip. */
async function readSelection(actor: Staff, { stock_id, category_id }: ReorderQuery['filter']) {
  const [open, tree] = await Promise.all([
    placesFor(actor, warehouses.type, actor.warehouses),
    category_id ? readCategoryTree(actor.tenant) : [],
  ]);
  const issues = new ValidationIssues();
  const selected = pick(open, stock_id, 'filter.stock_id', issues);
  pick(tree, category_id, 'filter.category_id', issues);
  issues.throwIfAny();
  return {
    stockIds: selected.map(({ id }) => id),
    categoryIds: category_id && withSubcategories(tree, category_id),
  };
}

/** Sums goods sold from warehouses in the last whole days, less returned, by product. */
async function readSold(
  tenant: Tenant,
  stockIds: readonly number[],
  { days, at }: { readonly days: number; readonly at: Instant },
): Promise<Map<number, bigint>> {
  const today = dayOf(at);
  const isStock = memberOf(stockIds);
  const isGroup = (group: string) => {
    const { stock, desk } = placeOfGroup(group);
    return desk === undefined && isStock(stock);
  };
  const selection = { isGroup, periods: daysOf(daysAfter(today, -days), daysAfter(today, -1)) };
  const [sold, returned] = await Promise.all([
    readRollups(soldGoodsRollups, tenant, selection),
    readRollups(returnedGoodsRollups, tenant, selection),
  ]);
  const sums = new Map<number, bigint>();
  for (const { key, quantity, returned_quantity } of sumGoods(sold, returned)) {
    const id = Number(key);
    sums.set(id, (sums.get(id) ?? 0n) + quantity - returned_quantity);
  }
  return sums;
}

async function readAccuracies(
  tenant: Tenant,
  cards: Iterable<OrderedCard>,
): Promise<ReadonlyMap<number, number>> {
  const unitIds = new Set([...cards].map(({ unit_id }) => unit_id));
  const found = await recordsAt({ type: units.type, tenant }, unitIds, ['accuracy']);
  return new Map([...found].map(([id, { accuracy }]) => [id, Number(accuracy)]));
}

function rowOf(
  key: number,
  { min_quantity: min }: OrderedCard,
  {
    goods,
    sold,
    accuracy = 0,
    query,
  }: {
    readonly goods: readonly WarehouseGoods[];
    readonly sold: bigint;
    readonly accuracy: number | undefined;
    readonly query: ReorderQuery;
  },
): Row {
  const sumOf = (figure: 'quantity' | 'held' | 'coming') =>
    goods.reduce((sum, each) => sum + each[figure], 0n);
  const held = sumOf('held');
  const supply = { free: sumOf('quantity') - held, coming: sumOf('coming'), sold, min };
  const last = newest(goods.flatMap((each) => each.last ?? []));
  return {
    key,
    free_quantity: supply.free,
    held_quantity: held,
    coming_quantity: supply.coming,
    min_quantity: min,
    sold_quantity: sold,
    days_left: daysLeft(supply, query),
    order_quantity: orderQuantity(supply, query, accuracy),
    last_cost: last?.cost ?? null,
    last_currency: last?.currency ?? null,
    last_supplier_id: last?.supplier_id ?? null,
  };
}
