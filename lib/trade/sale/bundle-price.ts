import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import { MOST_AMOUNT, roundHalfUp, shareOut } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { Promised } from './held-price.ts';
import type { SaleInput } from './input.ts';
import {
  type Asked,
  ifForSale,
  onPrices,
  type PricedLine,
  type Pricing,
  type ProductForSale,
  pricesOf,
} from './price.ts';

/** What a bundle's lines are priced by. */
interface BundlePricing {
  readonly products: ReadonlyMap<number, ProductForSale>;
  readonly pricing: Pricing;
}

/** A bundle that a body asks for, and what a hold promised of it. */
type AskedBundle = Asked<SaleInput['bundles'][number]> & { readonly promised: Promised | undefined };

/**
 * Makes the lines of a bundle: its price less the discount is shared over its products in proportion to what
 * they cost apart. Its price is the one it was held at, or its own; for less than both no share may go under
 * its product's least price. Decisions, 8.
 */
export function bundleLines(
  bundle: z.input<typeof Bundle>,
  by: BundlePricing,
  asked: AskedBundle,
  problems: Problems,
): PricedLine[] {
  const { path, quantity, discount, price, promised } = asked;
  const wrong = onPrices(problems);
  const usual = bundle.price * quantity;
  const own = promised?.amount ?? usual;
  const whole = price === undefined ? own : price * quantity;
  const lowered = discount > 0 ? `${path}.discount` : `${path}.price`;
  if (discount > whole) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  const isOwn = whole === own || whole === usual;
  if ((!isOwn || discount > 0) && !by.pricing.canDiscount) {
    problems.add(lowered, 'sale.discount_forbidden');
  }
  const members = membersOf(bundle, by, asked, problems);
  if (whole > MOST_AMOUNT) problems.add(`${path}.quantity`, 'sale.amount_too_large');
  const apart = members.map((member) => amountOf(member.own, member.sold_quantity));
  const weights = apart.some((weight) => weight > 0) ? apart : apart.map(() => 1);
  const amounts = shareOut(Math.max(0, whole - discount), weights);
  const isLowered = whole - discount < Math.min(own, usual);
  return members.map(({ product, sold_quantity, least }, index) => {
    const amount = amounts[index] ?? 0;
    const unitPrice = Number(roundHalfUp(BigInt(amount) * BigInt(ONE), BigInt(sold_quantity)));
    if (unitPrice > MOST_AMOUNT) wrong.add(`${path}.price`, 'sale.amount_too_large');
    if (isLowered && amount < amountOf(least, sold_quantity)) {
      const what = { name: product.name, min: least / 100 };
      wrong.add(lowered, { key: 'sale.bundle_price_too_low', with: what });
    }
    return {
      pricePath: `${path}.price`,
      quantityPath: `${path}.quantity`,
      product_id: product.id,
      bundle_id: bundle.id,
      bundle_key: path,
      bundle_quantity: quantity,
      sold_quantity,
      price: unitPrice,
      discount: 0,
      amount,
    };
  });
}

/**
 * Finds the products of a bundle with their own prices; none if these can't be told, which goes to
 * `problems`.
 */
function membersOf(
  bundle: z.input<typeof Bundle>,
  { products, pricing }: BundlePricing,
  { path, quantity, promised }: AskedBundle,
  problems: Problems,
) {
  const wrong = onPrices(problems);
  const members = bundle.products.flatMap((member) => {
    const product = ifForSale(products.get(member.product_id), promised?.isHeld);
    const prices = product && pricesOf(product, pricing, `${path}.price`, wrong);
    if (!product) problems.add(`${path}.bundle_id`, 'validation.not_found');
    return prices ? [{ product, ...prices, sold_quantity: member.quantity * quantity }] : [];
  });
  if (members.every(({ sold_quantity }) => Number.isSafeInteger(sold_quantity))) return members;
  problems.add(`${path}.quantity`, 'stock.too_much');
  return [];
}
