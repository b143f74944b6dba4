import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { all, any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { SYNC_TYPES } from '#lib/table/feed/feed-types.ts';
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

const ofCompany: Reach = (actor) => withinReachOf(actor);

/** Selects rows of open warehouses and desks, and rows without a place, as those of adjustments. */
function atOpenPlace({ warehouses, cashDesks }: Staff): Expression[] {
  if (warehouses === 'all' || cashDesks === 'all') return [];
  const isWithoutPlace = all([equals('stock_id', null), equals('cashbox_id', null)]);
  return [any([oneOf('stock_id', warehouses), oneOf('cashbox_id', cashDesks), isWithoutPlace])];
}

/** Reach of rows by the word that their type has for it. */
const REACH: Readonly<Record<Exclude<(typeof SYNC_TYPES)[number]['reach'], 'special'>, Reach>> = {
  family: () => [],
  company: ofCompany,
  desk: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
  warehouse: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

type SpecialType = Extract<(typeof SYNC_TYPES)[number], { reach: 'special' }>['type'];

const SPECIAL: Readonly<Record<Exclude<SpecialType, keyof typeof TWO_SIDED | 'stock.product'>, Reach>> = {
  'company.company': ({ companies }) => among('record_id', companies),
  'stock.stock': (actor) => withinReachOf(actor, actor.warehouses, 'record_id'),
  'stock.supplier.operation': (actor) => [...ofCompany(actor), ...atOpenPlace(actor)],
  'cashbox.cashbox': (actor) => withinReachOf(actor, actor.cashDesks, 'record_id'),
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
  const byType = new Map(reachByType().map(([type, reach]) => [type, all(reach(actor))]));
  byType.set('stock.product', ofGoods);
  return rows.filter(
    (row) => open.get(row.type)?.has(row.record_id) ?? byType.get(row.type)?.matches(row) ?? false,
  );
}

/** Lists the types whose rows suffice, each with its reach. */
function reachByType(): [string, Reach][] {
  const plain = SYNC_TYPES.flatMap(({ type, reach }): [string, Reach][] =>
    reach === 'special' ? [] : [[type, REACH[reach]]],
  );
  return [...plain, ...Object.entries(SPECIAL)];
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
