import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import { MOST_AMOUNT, roundedHalfUp, shared } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { SaleInput } from './input.ts';
import { type PricedLine, type Pricing, type ProductForSale, pricesOf } from './price.ts';

/**
 * Makes the lines of a bundle: its price less the discount, shared over its products in proportion to their
 * own prices. For less than the bundle's own price no share may go under its product's minimum. Decisions, 8.
 */
export function bundleLines(
  bundle: z.input<typeof Bundle>,
  products: ReadonlyMap<number, ProductForSale>,
  { quantity, price: asked, discount }: SaleInput['bundles'][number],
  path: string,
  pricing: Pricing,
  problems: Problems,
): PricedLine[] {
  const price = asked ?? bundle.price;
  const whole = price * quantity;
  const lowered = discount > 0 ? `${path}.discount` : `${path}.price`;
  if (discount > whole) problems.add(`${path}.discount`, 'sale.discount_too_large');
  if ((price !== bundle.price || discount > 0) && !pricing.canDiscount) {
    problems.add(lowered, 'sale.discount_forbidden');
  }
  const parts = partsOf(bundle, products, quantity, path, pricing, problems);
  if (whole > MOST_AMOUNT) problems.add(`${path}.quantity`, 'sale.amount_too_large');
  const apart = parts.map(({ own, sold_quantity }) => amountOf(own, sold_quantity));
  const weights = apart.some((weight) => weight > 0) ? apart : apart.map(() => 1);
  const amounts = shared(Math.max(0, whole - discount), weights);
  const isLowered = whole - discount < bundle.price * quantity;
  return parts.map(({ product, sold_quantity, least }, index) => {
    const amount = amounts[index] ?? 0;
    const unitPrice = Number(roundedHalfUp(BigInt(amount) * BigInt(ONE), BigInt(sold_quantity)));
    if (unitPrice > MOST_AMOUNT) problems.add(`${path}.price`, 'sale.amount_too_large');
    if (isLowered && amount < amountOf(least, sold_quantity)) {
      const what = { name: product.name, min: least / 100 };
      problems.add(lowered, { key: 'sale.bundle_price_too_low', with: what });
    }
    return {
      pricePath: `${path}.price`,
      quantityPath: `${path}.quantity`,
      product_id: product.id,
      bundle_id: bundle.id,
      bundle_key: path,
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
function partsOf(
  bundle: z.input<typeof Bundle>,
  products: ReadonlyMap<number, ProductForSale>,
  quantity: number,
  path: string,
  pricing: Pricing,
  problems: Problems,
) {
  const parts = bundle.products.flatMap((part) => {
    const product = products.get(part.product_id);
    const prices = product && pricesOf(product, pricing, `${path}.price`, problems);
    if (!product) problems.add(`${path}.bundle_id`, 'validation.not_found');
    return prices ? [{ product, ...prices, sold_quantity: part.quantity * quantity }] : [];
  });
  if (parts.every(({ sold_quantity }) => Number.isSafeInteger(sold_quantity))) return parts;
  problems.add(`${path}.quantity`, 'stock.too_much');
  return [];
}
