import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import {
  type CardOfGoods,
  cardsOf,
  keyOfCard,
  namesOfGoods,
  productNames,
} from '#lib/reports/frame/cards.ts';
import { readNames } from '#lib/reports/frame/names.ts';
import { inOrderOfId } from '#lib/reports/frame/order.ts';
import { Ids, reportParameters } from '#lib/reports/frame/query.ts';
import { pick, placesFor } from '#lib/reports/frame/reach.ts';
import { keyed, type Report } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { costField } from '#lib/values/cost.ts';
import { byCurrency, Currency, LargeAmount } from '#lib/values/money.ts';
import { exactAmountOf, LargeQuantity } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { readWarehouseGoods, type WarehouseGoods } from './goods.ts';

/** A row of the stock report. Part 4, 4.5, 5. */
export const StockRow = z.object({
  ...keyed,
  /** In stock, held goods included. */
  quantity: LargeQuantity,
  held_quantity: LargeQuantity,
  /** Sent to another warehouse and not yet received. */
  in_transit_quantity: LargeQuantity,
  /** Of goods in stock and in transit. */
  costs: costField(z.record(Currency, LargeAmount)),
  sale_values: z.record(Currency, LargeAmount),
});

type Row = z.input<typeof StockRow>;

/** The report as a workbook. */
export const stockSheet = reportSheet(StockRow, 'report.stock');

/** Query string of the report. */
export const StockQuery = z.strictObject(
  reportParameters(['stock', 'category', 'brand', 'product'], { stock_id: Ids }),
);

type Group = z.output<typeof StockQuery>['group'];

/** Goods with the card of their product. */
type CardedGoods = WarehouseGoods & { readonly card: CardOfGoods };

/**
 * Sums the current goods of warehouses open to the caller, and those in transit from them. 422 on the filter
 * by a warehouse out of reach, and if there are over 200 000 stock levels.
 */
export async function stockReport(
  actor: Staff,
  { group, filter }: z.output<typeof StockQuery>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
): Promise<Report<Row>> {
  const { tenant } = actor;
  const issues = new ValidationIssues();
  const open = await placesFor(actor, warehouses.type, actor.warehouses);
  const selected = pick(open, filter.stock_id, 'filter.stock_id', issues);
  issues.throwIfAny();
  const found = await readWarehouseGoods(
    tenant,
    selected.map(({ id }) => id),
    at,
  );
  const goods = found.filter(({ quantity, sent }) => quantity > 0n || sent > 0n);
  const cards = await cardsOf(
    tenant,
    goods.map(({ product_id }) => product_id),
  );
  const carded = goods.flatMap((each) => {
    const card = cards.get(each.product_id);
    return card ? { ...each, card } : [];
  });
  const rows = Map.groupBy(carded, (each) => keyOf(group, each));
  const nameOf = await labels(tenant, { group, cards, keys: [...rows.keys()] }, locale);
  const data = [...rows].map(([key, each]) => ({ key, label: nameOf(key), ...sumsOf(each) }));
  const totals = data.length > 0 ? [{ key: null, label: null, ...sumsOf(carded) }] : [];
  return { data: data.sort(inOrderOfId), totals, period: null };
}

function keyOf(group: Group, { stock_id, product_id, card }: CardedGoods): number | null {
  if (group === 'stock') return stock_id;
  if (group === 'product') return product_id;
  return keyOfCard(group, card);
}

/** Reads the labels of a grouping's keys. */
function labels(
  tenant: Tenant,
  selected: {
    readonly group: Group;
    readonly cards: ReadonlyMap<number, CardOfGoods>;
    readonly keys: readonly (number | null)[];
  },
  locale: Locale,
) {
  const ids = selected.keys.filter((key) => key !== null);
  if (selected.group === 'stock') return readNames({ type: warehouses.type, tenant }, ids);
  if (selected.group === 'product') return productNames(tenant, selected.cards);
  return namesOfGoods(tenant, { group: selected.group, ids }, locale);
}

function sumsOf(goods: readonly CardedGoods[]): Omit<Row, 'key' | 'label'> {
  const [costs, sale_values] = [byCurrency(() => 0n), byCurrency(() => 0n)];
  const sums = { quantity: 0n, held_quantity: 0n, in_transit_quantity: 0n };
  for (const { quantity, held, sent, costs: own, card } of goods) {
    sums.quantity += quantity;
    sums.held_quantity += held;
    sums.in_transit_quantity += sent;
    for (const currency of Currency.options) costs[currency] += own[currency];
    sale_values[card.sale_currency] += exactAmountOf(card.sale_price, quantity + sent);
  }
  return { ...sums, costs, sale_values };
}
