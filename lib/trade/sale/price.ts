import type * as z from 'zod';
import type { ProductCard } from '#lib/catalog/product-card.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { type Cents, type Currency, converted, MOST_AMOUNT } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { SaleInput } from './input.ts';
import type { SaleLine } from './record.ts';

/** A product's card. */
export type ProductForSale = z.input<typeof ProductCard>;

/** The data by which lines are priced. */
export interface Pricing {
  readonly currency: Currency;
  readonly rates: Readonly<Record<Currency, Cents>>;
  readonly canDiscount: boolean;
}

/** A line before its goods are taken, and the paths of its price and its quantity in the body. */
export type PricedLine = Omit<
  SaleLine,
  'id' | 'batches' | 'product' | 'returned_quantity' | 'refunded_amount'
> & {
  readonly pricePath: string;
  readonly quantityPath: string;
};

/** A product's own price and the least it may be sold for, in the cheque's currency. */
interface OwnPrices {
  readonly own: Cents;
  readonly least: Cents;
}

/**
 * Finds a product's own prices. Undefined if the company has no rate of the product's currency, which goes to
 * `problems`.
 */
export function pricesOf(
  { sale_price, min_price, sale_currency }: ProductForSale,
  { currency, rates }: Pricing,
  pricePath: string,
  problems: Problems,
): OwnPrices | undefined {
  const own = converted(sale_price, rates[sale_currency], rates[currency]);
  const least = converted(min_price ?? 0, rates[sale_currency], rates[currency]);
  if (own !== undefined && least !== undefined) return { own, least };
  problems.add(pricePath, noRate(sale_currency));
  return undefined;
}

/** Makes the message for a line whose price or cost is in a currency without a rate. Decisions, 8. */
export function noRate(currency: Currency): Phrase {
  return { key: 'rate.none_of', with: { currency } };
}

/** Makes the line of a product that is sold by itself; its faults go to `problems`. Decisions, 5. */
export function productLine(
  product: ProductForSale,
  { sold_quantity, price: asked, discount }: SaleInput['products'][number],
  path: string,
  pricing: Pricing,
  problems: Problems,
): PricedLine {
  const { own, least } = pricesOf(product, pricing, `${path}.price`, problems) ?? {
    own: asked ?? 0,
    least: 0,
  };
  const price = asked ?? own;
  const sold = { quantity: sold_quantity, price, discount };
  const line = soldApart(product, sold, path, `${path}.sold_quantity`, problems);
  const tooLow = { key: 'sale.price_too_low', with: { min: least / 100 } } as const;
  const isPriceLow = price < least;
  if (isPriceLow) problems.add(`${path}.price`, tooLow);
  if (price !== own && !product.is_free_price) problems.add(`${path}.price`, 'sale.price_fixed');
  if (discount > amountOf(price, sold_quantity)) problems.add(`${path}.discount`, 'sale.discount_too_large');
  if (discount > 0 && !pricing.canDiscount) problems.add(`${path}.discount`, 'sale.discount_forbidden');
  if (!isPriceLow && line.amount < amountOf(least, sold_quantity)) problems.add(`${path}.discount`, tooLow);
  return line;
}

/** Makes the line of a product at a price that was agreed upon elsewhere, whatever the product's own. */
export function agreedLine(
  product: ProductForSale,
  { quantity, price }: { readonly quantity: number; readonly price: Cents },
  path: string,
  problems: Problems,
): PricedLine {
  return soldApart(product, { quantity, price, discount: 0 }, path, `${path}.quantity`, problems);
}

function soldApart(
  product: ProductForSale,
  {
    quantity,
    price,
    discount,
  }: { readonly quantity: number; readonly price: Cents; readonly discount: Cents },
  path: string,
  quantityPath: string,
  problems: Problems,
): PricedLine {
  const whole = amountOf(price, quantity);
  if (whole > MOST_AMOUNT) problems.add(quantityPath, 'sale.amount_too_large');
  if (product.is_bundle_only) problems.add(`${path}.product_id`, 'sale.bundle_only');
  return {
    pricePath: `${path}.price`,
    quantityPath,
    product_id: product.id,
    bundle_id: null,
    bundle_key: null,
    sold_quantity: quantity,
    price,
    discount,
    amount: Math.max(0, whole - discount),
  };
}
