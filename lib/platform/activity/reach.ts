import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { collections } from '#lib/cash/collection/record.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { all, any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import type { ActivityEntry } from '../activity.ts';

/*
 * Reach of activity rows: that of the records, as each type's list defines it. A row stores the record's
 * company, desk and warehouse of that time, which suffices for all types but two: these have two sides, and
 * their records are read.
 */

type Reach = (actor: Staff) => readonly Expression[];

const ofFamily: Reach = () => [];
const ofCompany: Reach = (actor) => withinReachOf(actor);
const ofDesk: Reach = (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id');
const ofWarehouse: Reach = (actor) => withinReachOf(actor, actor.warehouses, 'stock_id');

/** Selects rows of open warehouses and desks, and rows without a place, as those of adjustments. */
function atOpenPlace({ warehouses, cashDesks }: Staff): Expression[] {
  if (warehouses === 'all' || cashDesks === 'all') return [];
  const isWithoutPlace = all([equals('stock_id', null), equals('cashbox_id', null)]);
  return [any([oneOf('stock_id', warehouses), oneOf('cashbox_id', cashDesks), isWithoutPlace])];
}

const REACH: Readonly<Record<Exclude<SyncType, keyof typeof TWO_SIDED | 'stock.product'>, Reach>> = {
  'company.company': ({ companies }) => among('record_id', companies),
  'user.user': ofCompany,
  'product.product': ofFamily,
  'product.category': ofFamily,
  'product.brand': ofFamily,
  'product.unit': ofFamily,
  'product.option': ofFamily,
  'product.specification': ofFamily,
  'product.service': ofFamily,
  'product.service-unit': ofFamily,
  'product.bundle': ofFamily,
  'stock.stock': (actor) => withinReachOf(actor, actor.warehouses, 'record_id'),
  'stock.supplier': ofFamily,
  'stock.supplier.operation': (actor) => [...ofCompany(actor), ...atOpenPlace(actor)],
  'client.client': ofFamily,
  'client.bonus-tariff': ofFamily,
  'client.debt': ofCompany,
  'client.debt-payment': ofCompany,
  'client.debt-writeoff': ofCompany,
  'cashbox.cashbox': (actor) => withinReachOf(actor, actor.cashDesks, 'record_id'),
  'cashbox.reason': ofFamily,
  'cashbox.currency-rate': ofCompany,
  'cashbox.transfer': ofDesk,
  'trade.sale': ofDesk,
  'trade.sale.return': ofDesk,
  'trade.cashbox-shift': ofDesk,
  'trade.hold': ofWarehouse,
  'trade.purchase': ofWarehouse,
  'trade.writeoff': ofWarehouse,
  'trade.inventory': ofWarehouse,
  'trade.recalculation-batch': ofCompany,
};

/** Types with two sides, each with its record type. */
const TWO_SIDED = { 'trade.transfer': stockTransfers, 'cashbox.operation.collection': collections };

/** Filters rows by the caller's reach. Two round trips for a caller with limited reach. */
export async function rowsWithinReach(
  actor: Staff,
  rows: readonly ActivityEntry[],
): Promise<ActivityEntry[]> {
  const { companies, warehouses, cashDesks } = actor;
  if ([companies, warehouses, cashDesks].every((open) => open === 'all')) return [...rows];
  const [ofGoods, ...sides] = await Promise.all([
    goodsInReach(actor),
    ...Object.entries(TWO_SIDED).map(async ([type, { type: stored, reach }]) => {
      const ids = [...new Set(rows.flatMap((row) => (row.type === type ? row.record_id : [])))];
      const items = await getItems(ids.map((id) => recordKey(stored, actor.tenant, id)));
      const open = all(reach?.(actor) ?? []);
      return [type, new Set(ids.filter((_, index) => items[index] && open.matches(items[index])))] as const;
    }),
  ]);
  const open = new Map<string, ReadonlySet<number>>(sides);
  const byType = new Map(Object.entries(REACH).map(([type, reach]) => [type, all(reach(actor))]));
  byType.set('stock.product', ofGoods);
  return rows.filter(
    (row) => open.get(row.type)?.has(row.record_id) ?? byType.get(row.type)?.matches(row) ?? false,
  );
}

/**
 * Returns the condition of stock levels in warehouses within reach: a stock level does not store its company.
 */
async function goodsInReach(actor: Staff): Promise<Expression> {
  const open = all(withinReachOf(actor, actor.warehouses));
  const warehouses = (await allWarehouses(actor.tenant)).filter(open.matches);
  return all(
    among(
      'stock_id',
      warehouses.map(({ id }) => id),
    ),
  );
}
