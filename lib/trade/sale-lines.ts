import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { ProductCard } from '#lib/catalog/product-card.ts';
import type { MessageKey } from '#lib/values/messages/ru.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import {
  type Cents,
  type Currency,
  converted,
  MOST_AMOUNT,
  roundedHalfUp,
  shared,
} from '#lib/values/money.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { SaleInput } from './sale-input.ts';
import type { SaleLine } from './sale-record.ts';

type Product = z.input<typeof ProductCard>;

/** What lines are priced by. */
export interface Pricing {
  readonly currency: Currency;
  readonly rates: Readonly<Record<Currency, Cents>>;
  readonly canDiscount: boolean;
}

/** A line before its goods are taken, and where in the body its quantity came from. */
export type PricedLine = Omit<
  SaleLine,
  'id' | 'batches' | 'product' | 'returned_quantity' | 'refunded_amount'
> & {
  readonly quantityPath: string;
};

/** What is wrong with a body, by path. */
export type Wrongs = Record<string, MessageKey | Phrase>;

/** A product's own price in the cheque's currency. */
function priceOf({ sale_price, sale_currency }: Product, { currency, rates }: Pricing): Cents {
  return converted(sale_price, rates[sale_currency], rates[currency]);
}

/** The line of a product sold by itself; what is wrong with it goes to `wrongs`. Decisions, 5. */
export function productLine(
  product: Product,
  { sold_quantity, price: asked, discount }: SaleInput['products'][number],
  path: string,
  pricing: Pricing,
  wrongs: Wrongs,
): PricedLine {
  const own = priceOf(product, pricing);
  const price = asked ?? own;
  const sold = { quantity: sold_quantity, price, discount };
  const line = soldApart(product, sold, path, `${path}.sold_quantity`, wrongs);
  if (price !== own && !product.is_free_price) wrongs[`${path}.price`] = 'sale.price_fixed';
  if (discount > 0 && !pricing.canDiscount) wrongs[`${path}.discount`] = 'sale.discount_forbidden';
  if (discount > amountOf(price, sold_quantity)) wrongs[`${path}.discount`] = 'sale.discount_too_large';
  const least = leastPrice(product, pricing);
  if (price < least) wrongs[`${path}.price`] = { key: 'sale.price_too_low', with: { min: least / 100 } };
  else if (line.amount < amountOf(least, sold_quantity)) {
    wrongs[`${path}.discount`] ??= { key: 'sale.price_too_low', with: { min: least / 100 } };
  }
  return line;
}

/** The line of a product at a price that was agreed upon elsewhere, whatever the product's own. */
export function agreedLine(
  product: Product,
  { quantity, price }: { readonly quantity: number; readonly price: Cents },
  path: string,
  wrongs: Wrongs,
): PricedLine {
  return soldApart(product, { quantity, price, discount: 0 }, path, `${path}.quantity`, wrongs);
}

function soldApart(
  product: Product,
  {
    quantity,
    price,
    discount,
  }: { readonly quantity: number; readonly price: Cents; readonly discount: Cents },
  path: string,
  quantityPath: string,
  wrongs: Wrongs,
): PricedLine {
  const whole = amountOf(price, quantity);
  if (whole > MOST_AMOUNT) wrongs[quantityPath] = 'sale.amount_too_large';
  if (product.is_bundle_only) wrongs[`${path}.product_id`] = 'sale.bundle_only';
  return {
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

/** The lines of a bundle: its price less the discount, shared over its products in proportion to what they cost apart. */
export function bundleLines(
  bundle: z.input<typeof Bundle>,
  products: ReadonlyMap<number, Product>,
  { quantity, price: asked, discount }: SaleInput['bundles'][number],
  path: string,
  pricing: Pricing,
  wrongs: Wrongs,
): PricedLine[] {
  const price = asked ?? bundle.price;
  const whole = price * quantity;
  if (whole > MOST_AMOUNT) wrongs[`${path}.quantity`] = 'sale.amount_too_large';
  if ((price !== bundle.price || discount > 0) && !pricing.canDiscount) {
    wrongs[`${path}.${discount > 0 ? 'discount' : 'price'}`] = 'sale.discount_forbidden';
  }
  if (discount > whole) wrongs[`${path}.discount`] = 'sale.discount_too_large';
  const parts = bundle.products.flatMap((part) => {
    const product = products.get(part.product_id);
    return product ? [{ product, sold_quantity: part.quantity * quantity }] : [];
  });
  if (parts.length < bundle.products.length) wrongs[`${path}.bundle_id`] = 'validation.exists';
  if (parts.some(({ sold_quantity }) => !Number.isSafeInteger(sold_quantity))) {
    wrongs[`${path}.quantity`] = 'stock.too_much';
    return [];
  }
  const apart = parts.map(({ product, sold_quantity }) => amountOf(priceOf(product, pricing), sold_quantity));
  const weights = apart.some((weight) => weight > 0) ? apart : apart.map(() => 1);
  const amounts = shared(Math.max(0, whole - discount), weights);
  return parts.map(({ product, sold_quantity }, index) => {
    const amount = amounts[index] ?? 0;
    return {
      quantityPath: `${path}.quantity`,
      product_id: product.id,
      bundle_id: bundle.id,
      bundle_key: path,
      sold_quantity,
      price: Number(roundedHalfUp(BigInt(amount) * BigInt(ONE), BigInt(sold_quantity))),
      discount: 0,
      amount,
    };
  });
}

function leastPrice({ min_price, sale_currency }: Product, { currency, rates }: Pricing): Cents {
  return min_price === null ? 0 : converted(min_price, rates[sale_currency], rates[currency]);
}
