import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import * as cashboxes from '#lib/cash/cashbox.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk-money.ts';
import { type Bundle, bundles } from '#lib/catalog/bundle.ts';
import { ProductCard, products } from '#lib/catalog/product-card.ts';
import * as clients from '#lib/clients/client.ts';
import { ClientSums, clientSumsKey } from '#lib/clients/client-sums.ts';
import { vouched } from '#lib/records/stored.ts';
import { type Shelves, shelfKeys, shelvesFrom } from '#lib/stock/shelves.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Item } from '#lib/table/client.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/reads.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { SaleInput } from './input.ts';
import type { Pricing } from './price.ts';

type ProductForSale = z.input<typeof ProductCard>;

/** A body's names of what a sale rests on. */
type Named = Pick<SaleInput, 'cashbox_id' | 'stock_id' | 'client_id' | 'hold_id' | 'currency'> & {
  readonly products: readonly { readonly product_id: number }[];
  readonly bundles: readonly { readonly bundle_id: number }[];
};

/** Everything that a sale rests on, as it was read at one moment. */
export interface Deal {
  /** Undefined if it doesn't exist, or is not open to the caller. */
  readonly desk: { readonly id: number; readonly company_id: number; readonly money: DeskMoney } | undefined;
  /** The client's bonuses and debts; undefined without a client. */
  readonly clientSums: z.output<typeof ClientSums> | undefined;
  readonly pricing: Pricing;
  readonly products: ReadonlyMap<number, ProductForSale>;
  readonly bundles: ReadonlyMap<number, z.input<typeof Bundle>>;
  readonly shelves: Shelves;
}

/**
 * Reads what a sale rests on in one round trip, two if it has bundles or if the desk is not of the caller's
 * company. What doesn't exist, or is not open to the caller, goes to `problems`.
 */
export async function readDeal(actor: Staff, input: Named, problems: Problems): Promise<Deal> {
  const { home } = actor;
  const productIds = input.products.map(({ product_id }) => product_id);
  const bundleIds = [...new Set(input.bundles.map(({ bundle_id }) => bundle_id))];
  const [places, goods, offers] = await Promise.all([
    getItems([
      cashboxes.keyOf(actor, input.cashbox_id),
      deskMoneyKey(home, input.cashbox_id),
      warehouses.keyOf(actor, input.stock_id),
      keyIfAny(input.client_id, (id) => clients.keyOf(actor, id)),
      keyOfRates(home, actor.companyId),
      keyIfAny(input.client_id, (id) => clientSumsKey(home, id)),
    ]),
    readGoods(actor, input.stock_id, productIds),
    getItems(bundleIds.map((id) => recordKey(bundles.type, home, id))),
  ]);
  const [deskItem, money, warehouseItem, clientItem, ownRates, sums] = places;
  // One batch may find a client as it was before a deletion, and the sums as they are after it.
  const client = sums?.['is_deleted'] === false ? clientItem : undefined;
  const desk = cashboxes.ifVisible(actor, deskItem);
  checkPlaces(
    actor,
    input,
    { desk, warehouse: warehouses.ifVisible(actor, warehouseItem), client },
    problems,
  );

  const found = new Map(offers.flatMap(bundleOf).map((bundle) => [bundle.id, bundle]));
  const parts = [...found.values()].flatMap((bundle) => bundle.products.map(({ product_id }) => product_id));
  const isElsewhere = desk !== undefined && desk.company_id !== actor.companyId;
  const [further, otherRates] = await Promise.all([
    readGoods(
      actor,
      input.stock_id,
      [...new Set(parts)].filter((id) => !productIds.includes(id)),
    ),
    isElsewhere ? getItem(keyOfRates(home, desk.company_id)) : undefined,
  ]);
  const { saleCurrency, rates } = ratesFrom(otherRates ?? ownRates);
  if (input.currency !== saleCurrency) {
    problems.add('currency', { key: 'sale.currency', with: { currency: saleCurrency } });
  }
  return {
    desk: desk && { id: desk.id, company_id: desk.company_id, money: DeskMoney.parse(money) },
    clientSums: client && ClientSums.parse(sums),
    pricing: { currency: saleCurrency, rates, canDiscount: actor.canDiscount },
    products: new Map([...goods.cards, ...further.cards].map((card) => [card.id, card])),
    bundles: found,
    shelves: shelvesFrom(home, [...goods.rows, ...further.rows]),
  };
}

interface Places {
  readonly desk: ReturnType<typeof cashboxes.ifVisible>;
  readonly warehouse: ReturnType<typeof warehouses.ifVisible>;
  readonly client: unknown;
}

function checkPlaces(
  actor: Staff,
  { client_id, hold_id }: Named,
  { desk, warehouse, client }: Places,
  problems: Problems,
): void {
  if (!desk) problems.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') problems.add('cashbox_id', 'sale.desk_type');
  if (!warehouse) problems.add('stock_id', 'validation.not_found');
  else warehouses.requireOpen(warehouse);
  if (warehouse && desk && warehouse.company_id !== desk.company_id)
    problems.add('stock_id', 'sale.other_company');
  if (client_id !== null && !clients.ifVisible(actor, client))
    problems.add('client_id', 'validation.not_found');
  // There are no holds yet.
  if (hold_id !== null) problems.add('hold_id', 'validation.not_found');
}

/** Reads products' cards, and what the warehouse has of them. */
async function readGoods({ home }: Staff, stockId: number, productIds: readonly number[]) {
  const [cards, rows] = await Promise.all([
    getItems(productIds.map((id) => recordKey(products.type, home, id))),
    getItems(shelfKeys(home, stockId, productIds)),
  ]);
  return { cards: cards.flatMap(cardOf), rows };
}

function cardOf(item: Item | undefined): ProductForSale[] {
  return item === undefined || item['is_deleted'] === true ? [] : [vouched(ProductCard, item)];
}

function bundleOf(item: Item | undefined) {
  return item === undefined || item['is_deleted'] === true ? [] : [vouched(bundles.schema, item)];
}
