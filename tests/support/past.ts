import { change, changeSaleCurrency, settings } from '#lib/cash/currency-rate.ts';
import * as bundles from '#lib/catalog/bundle.ts';
import { edit, ProductEdit } from '#lib/catalog/product/product.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import type { Currency } from '#lib/values/money.ts';
import { type Instant, renderInstant } from '#lib/values/time.ts';
import { card } from './catalog.ts';
import { directorAs } from './family.ts';
import { newGoods, newShop, type Shop, saleBody } from './shop.ts';

const MINUTE_MS = 60_000;

/** Returns the time a number of minutes ago. */
export function minutesAgo(minutes: number): Instant {
  return Date.now() - minutes * MINUTE_MS;
}

/** Returns the same as formatted in a body. */
export function timeAgo(minutes: number): string {
  return renderInstant(minutesAgo(minutes));
}

/** Age of goods, in minutes: older than any accepted offline sale. */
const LONG_AGO = 60 * 24 * 60;

/** Creates a shop with a product of long ago. */
export async function oldShop(given: object = {}) {
  const shop = await newShop();
  const id = await oldGoods(shop, given);
  return { shop, id };
}

/** Creates a product that has existed for long. */
export function oldGoods(shop: Shop, given: object = {}, minutes = LONG_AGO): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 1 }], given, minutesAgo(minutes));
}

/** Changes a product's card a number of minutes ago. */
export async function cardWas(shop: Shop, id: number, minutes: number, given: object): Promise<void> {
  const body = ProductEdit.parse(card(shop.catalog, given));
  await edit(directorOf(shop), id, body, { at: minutesAgo(minutes), checkFloors });
}

/** Sets a rate a number of minutes ago, in sums. */
export async function rateWas(
  shop: Shop,
  currency: Currency,
  minutes: number,
  rate: number,
  is_correction = false,
): Promise<void> {
  const { rows } = await settings(directorOf(shop));
  const id = rows.find((each) => each.currency === currency)?.id ?? 0;
  await change(directorOf(shop), id, { rate: Math.round(rate * 100), is_correction }, minutesAgo(minutes));
}

/** Sets the sale currency a number of minutes ago. */
export function currencyWas(shop: Shop, sale_currency: Currency, minutes: number): Promise<unknown> {
  return changeSaleCurrency(directorOf(shop), { sale_currency }, minutesAgo(minutes));
}

/** Creates a bundle a number of minutes ago, or changes one. */
export async function bundleWas(
  shop: Shop,
  minutes: number,
  given: { readonly price: number; readonly products: readonly object[]; readonly is_correction?: boolean },
  id?: number,
): Promise<number> {
  const body = bundles.BundleEdit.parse({ name: 'Set', ...given });
  const { is_correction: _, ...input } = body;
  const at = minutesAgo(minutes);
  const made =
    id === undefined
      ? bundles.create(directorOf(shop), input, at)
      : bundles.edit(directorOf(shop), id, body, at);
  return (await made).id;
}

function directorOf({ directorId, companyId }: Shop) {
  return directorAs(directorId, companyId);
}

/**
 * Builds the body of a sale of one piece for cash that was sold a number of minutes ago; null: sold online
 * now.
 */
export function saleOfMinutesAgo(
  shop: Shop,
  minutes: number | null,
  product_id: number,
  price: number,
  given: object = {},
) {
  return saleBody(shop, {
    products: [{ product_id, sold_quantity: 1, price }],
    transactions: [{ payment_type: 'cash', amount: price }],
    ...(minutes !== null && { sold_at: timeAgo(minutes) }),
    ...given,
  });
}

/** Builds the body of an offline sale of bundles. */
export function bundlesAgo(shop: Shop, minutes: number | null, bundle_id: number, price: number, given = {}) {
  return saleOfMinutesAgo(shop, minutes, 0, price, {
    products: [],
    bundles: [{ bundle_id, price }],
    ...given,
  });
}
