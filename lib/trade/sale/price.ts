import type * as z from 'zod';
import type { ProductCard } from '#lib/catalog/card.ts';
import type { Deletable } from '#lib/records/stored.ts';
import { type Cents, type Currency, convertAmount, MOST_AMOUNT } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Phrase } from '#lib/values/say.ts';
import type { HeldPrices } from './held-price.ts';
import type { SaleInput } from './input.ts';
import type { SaleLine } from './record.ts';

/** A product's card. */
export type ProductForSale = z.input<typeof ProductCard>;

/** What lines are priced by. */
export interface Pricing {
  readonly currency: Currency;
  readonly rates: Readonly<Record<Currency, Cents>>;
  readonly canDiscount: boolean;
  readonly held?: HeldPrices;
}

/** A line before its goods are taken, and the paths of its price and its quantity in the body. */
export type PricedLine = Omit<
  SaleLine,
  'id' | 'batches' | 'product' | 'returned_quantity' | 'refunded_amount'
> & {
  readonly pricePath: string;
  readonly quantityPath: string;
};

/** A part of a body and its path in it. */
export type Asked<T> = T & { readonly path: string };

/** A product that a body asks for, the path of its quantity, and whether a hold has all of it. */
type AskedProduct<T> = Asked<T> & { readonly quantityPath: string; readonly isHeld?: boolean };

/** A product's own price and the least it may be sold for, in the cheque's currency. */
interface OwnPrices {
  readonly own: Cents;
  readonly least: Cents;
}

/**
 * Gives a product's own prices. Undefined if the company has no rate of the product's currency, which goes to
 * `problems`.
 */
export function pricesOf(
  { sale_price, min_price, sale_currency }: ProductForSale,
  { currency, rates }: Pricing,
  pricePath: string,
  problems: Problems,
): OwnPrices | undefined {
  const own = convertAmount(sale_price, rates[sale_currency], rates[currency]);
  const least = convertAmount(min_price ?? 0, rates[sale_currency], rates[currency]);
  if (own !== undefined && least !== undefined) return { own, least };
  problems.add(pricePath, noRate(sale_currency));
  return undefined;
}

/**
 * Gives a card or a bundle if it may be sold: one that is not deleted, or that a hold has as many of.
 * Decisions, 9 (1).
 */
export function ifForSale<T extends Deletable>(offer: T | undefined, isHeld = false): T | undefined {
  return offer?.is_deleted && !isHeld ? undefined : offer;
}

/** Makes the message for a line whose price or cost is in a currency without a rate. Decisions, 8. */
export function noRate(currency: Currency): Phrase {
  return { key: 'rate.missing', with: { currency } };
}

/**
 * Collects problems of a body's prices. These rest on the desk, whose company's rates they are judged by, and
 * on the currency that they are in.
 */
export function onPrices(problems: Problems): Problems {
  return problems.unless('cashbox_id', 'currency');
}

/** Makes the line of a product sold by itself; what is wrong with it goes to `problems`. Decisions, 5. */
export function productLine(
  product: ProductForSale,
  asked: AskedProduct<SaleInput['products'][number]>,
  pricing: Pricing,
  problems: Problems,
): PricedLine {
  const { path, sold_quantity, discount } = asked;
  const wrong = onPrices(problems);
  const prices = pricesOf(product, pricing, `${path}.price`, wrong) ?? { own: asked.price ?? 0, least: 0 };
  const own = pricing.held?.products.get(product.id)?.price ?? prices.own;
  const least = Math.min(prices.least, own);
  const price = asked.price ?? own;
  const line = agreedLine(product, { ...asked, price }, problems);
  const tooLow = { key: 'sale.price_too_low', with: { min: least / 100 } } as const;
  const isPriceLow = price < least;
  if (isPriceLow) wrong.add(`${path}.price`, tooLow);
  if (price !== own && !product.is_free_price) wrong.add(`${path}.price`, 'sale.price_fixed');
  if (discount > amountOf(price, sold_quantity)) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if (discount > 0 && !pricing.canDiscount) problems.add(`${path}.discount`, 'sale.discount_forbidden');
  if (!isPriceLow && line.amount < amountOf(least, sold_quantity)) wrong.add(`${path}.discount`, tooLow);
  return line;
}

/** Makes the line of a product at a price that was agreed upon, whatever the product's own. */
export function agreedLine(
  product: ProductForSale,
  asked: AskedProduct<Pick<SaleLine, 'sold_quantity' | 'price' | 'discount'>>,
  problems: Problems,
): PricedLine {
  const { path, quantityPath, sold_quantity, price, discount } = asked;
  const whole = amountOf(price, sold_quantity);
  if (whole > MOST_AMOUNT) problems.add(quantityPath, 'sale.amount_too_large');
  if (product.is_bundle_only && !asked.isHeld) problems.add(`${path}.product_id`, 'sale.bundle_only');
  return {
    pricePath: `${path}.price`,
    quantityPath,
    product_id: product.id,
    bundle_id: null,
    bundle_key: null,
    bundle_quantity: null,
    sold_quantity,
    price,
    discount,
    amount: Math.max(0, whole - discount),
  };
}
