import type * as z from 'zod';
import type { Bundle as BundleRecord } from '#lib/catalog/bundle.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import { REVEALING } from '#lib/values/message.ts';
import { type Currency, convertAmount, MAX_AMOUNT, type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { HeldBundlePrice } from './held-prices.ts';
import {
  collectPriceIssues,
  type GoodsOffers,
  ifForSale,
  type Offers,
  type PricedLine,
  type Pricing,
  pricesOf,
  type RequestedBundle,
  requireNamed,
  unlessAccepted,
  type WithBodyPath,
} from './price.ts';

type Bundle = z.input<typeof BundleRecord>;

type RequestedAtPath = WithBodyPath<RequestedBundle> & { readonly promise: HeldBundlePrice | undefined };

/**
 * Creates the lines of a bundle: its price less the discount is allocated to its products in proportion to
 * their own prices. Its price is the held one, or its own; below both, no share may be under its product's
 * minimum. Contract 8; Contract 9.107.
 */
export function bundleLines(
  bundle: Bundle,
  offers: GoodsOffers,
  requested: RequestedAtPath,
  issues: ValidationIssues,
): PricedLine[] {
  const { path, quantity, discount } = requested;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(offers.pricing, wrong);
  const { whole, least, isUsual } = totalsOf(bundle, requested);
  if (requested.promise?.above !== 0) requireNamed(requested, offers.pricing, issues);
  const lowered = discount > 0 ? `${path}.discount` : `${path}.price`;
  if (discount > whole) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if ((!isUsual || discount > 0) && !offers.pricing.canDiscount) {
    // Usual prices depend on the desk; a discount does not.
    const forbidden = discount > 0 ? unlessAccepted(offers.pricing, issues) : limits;
    forbidden.add(lowered, 'sale.discount_forbidden');
  }
  const members = membersOf(bundle, offers, requested, issues);
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
      const values = { name: product.name, min: member.least / 100, ...(member.isByCost && REVEALING) };
      limits.add(lowered, { key: 'sale.bundle_price_too_low', with: values });
    }
    const paths = { pricePath: `${path}.price`, quantityPath: `${path}.quantity` };
    const own = { bundle_id: bundle.id, bundle_key: path, bundle_quantity: quantity };
    return { product_id: product.id, ...own, sold_quantity, price, discount: share, amount, ...paths };
  });
}

/**
 * Computes the total of bundles, the total below which minimum prices apply, and whether the price is a
 * usual one. Held bundles have held prices; a price in the body applies to those beyond the hold, or to all
 * if there are none beyond it. Contract 9.109.
 */
function totalsOf(bundle: Bundle, { quantity, price, promise }: RequestedAtPath) {
  const { amount: held, above } = promise ?? { amount: 0, above: quantity };
  const own = held + bundle.price * above;
  const at = (each: MinorUnits) => (above === 0 ? each * quantity : held + each * above);
  const usual = at(bundle.price);
  const whole = price === undefined ? own : at(price);
  return { whole, least: Math.min(usual, own), isUsual: whole === own || whole === usual };
}

/** Returns the products of a bundle with their own prices; none if unavailable, which goes to `issues`. */
function membersOf(
  bundle: Bundle,
  { products, pricing }: GoodsOffers,
  { path, quantity, promise }: RequestedAtPath,
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

/** Converts prices of bundles from the sale currency; bundles without a rate are omitted. */
export function bundlesIn(
  bundles: Offers['bundles'],
  saleCurrency: Currency,
  pricing: Pricing,
): Offers['bundles'] {
  return new Map(
    [...bundles].flatMap(([id, bundle]) => {
      const converted = bundleIn(bundle, saleCurrency, pricing);
      return converted ? [[id, converted] as const] : [];
    }),
  );
}

/** Converts the price of a bundle likewise; undefined without a rate. */
export function bundleIn(
  bundle: Bundle,
  saleCurrency: Currency,
  { currency, rates }: Pricing,
): Bundle | undefined {
  if (currency === saleCurrency) return bundle;
  const price = convertAmount(bundle.price, rates[saleCurrency], rates[currency]);
  return price === undefined ? undefined : { ...bundle, price };
}
