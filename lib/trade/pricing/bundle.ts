import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import { MAX_AMOUNT, type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { HeldBundlePrice } from './held-prices.ts';
import {
  collectPriceIssues,
  ifForSale,
  type Offers,
  type PricedLine,
  pricesOf,
  type RequestedBundle,
  requireNamed,
  unlessAccepted,
  type WithBodyPath,
} from './price.ts';

type AskedBundle = WithBodyPath<RequestedBundle> & { readonly promise: HeldBundlePrice | undefined };

/**
 * Makes the lines of a bundle: its price less the discount is shared over its products in proportion to what
 * they cost apart. Its price is the promised one, or its own; for less than both no share may go under its
 * product's floor. Contract 8; Contract 9.107.
 */
export function bundleLines(
  bundle: z.input<typeof Bundle>,
  offers: Offers,
  asked: AskedBundle,
  issues: ValidationIssues,
): PricedLine[] {
  const { path, quantity, discount } = asked;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(offers.pricing, wrong);
  const { whole, least, isUsual } = totalsOf(bundle, asked);
  if (asked.promise?.above !== 0) requireNamed(asked, offers.pricing, issues);
  const lowered = discount > 0 ? `${path}.discount` : `${path}.price`;
  if (discount > whole) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if ((!isUsual || discount > 0) && !offers.pricing.canDiscount) {
    // What is usual rests on the desk, as prices do; a discount is one at any.
    const told = discount > 0 ? unlessAccepted(offers.pricing, issues) : limits;
    told.add(lowered, 'sale.discount_forbidden');
  }
  const members = membersOf(bundle, offers, asked, issues);
  if (whole > MAX_AMOUNT) issues.add(`${path}.quantity`, 'sale.amount_too_large');
  const apart = members.map((member) => amountOf(member.own, member.sold_quantity));
  const weights = apart.some((weight) => weight > 0) ? apart : apart.map(() => 1);
  const amounts = allocateByWeight(Math.max(0, whole - discount), weights);
  const discounts = allocateByWeight(Math.min(whole, discount), weights);
  return members.map((member, index) => {
    const [amount = 0, share = 0] = [amounts[index], discounts[index]];
    const { product, sold_quantity } = member;
    const price = Number(roundHalfUp(BigInt(amount + share) * BigInt(ONE), BigInt(sold_quantity)));
    if (price > MAX_AMOUNT) wrong.add(`${path}.price`, 'sale.amount_too_large');
    if (whole - discount < least && amount < amountOf(member.least, sold_quantity)) {
      const what = { name: product.name, min: member.least / 100 };
      limits.add(lowered, { key: 'sale.bundle_price_too_low', with: what });
    }
    const paths = { pricePath: `${path}.price`, quantityPath: `${path}.quantity` };
    const own = { bundle_id: bundle.id, bundle_key: path, bundle_quantity: quantity };
    return { product_id: product.id, ...own, sold_quantity, price, discount: share, amount, ...paths };
  });
}

/**
 * Computes what bundles cost, below what their products have a floor, and if the price is as usual. Those
 * that a hold has cost what it promised, and a price that the body names counts for what is above them; if
 * nothing is, for all. Contract 9.109.
 */
function totalsOf(bundle: z.input<typeof Bundle>, { quantity, price, promise }: AskedBundle) {
  const { amount: held, above } = promise ?? { amount: 0, above: quantity };
  const own = held + bundle.price * above;
  const at = (each: MinorUnits) => (above === 0 ? each * quantity : held + each * above);
  const usual = at(bundle.price);
  const whole = price === undefined ? own : at(price);
  return { whole, least: Math.min(usual, own), isUsual: whole === own || whole === usual };
}

/**
 * Finds the products of a bundle with their own prices; none if these can't be told, which goes to
 * `problems`.
 */
function membersOf(
  bundle: z.input<typeof Bundle>,
  { products, pricing }: Offers,
  { path, quantity, promise }: AskedBundle,
  issues: ValidationIssues,
) {
  const wrong = collectPriceIssues(issues);
  const members = bundle.products.flatMap((member) => {
    const product = ifForSale(products.get(member.product_id), promise?.isHeld);
    const prices = product && pricesOf(product, pricing, `${path}.price`, wrong);
    if (!product) issues.add(`${path}.bundle_id`, 'validation.not_found');
    return prices ? [{ product, ...prices, sold_quantity: member.quantity * quantity }] : [];
  });
  if (members.every(({ sold_quantity }) => Number.isSafeInteger(sold_quantity))) return members;
  issues.add(`${path}.quantity`, 'stock.too_much');
  return [];
}
