import { allocateByWeight } from '#lib/values/allocation.ts';
import { REVEALING } from '#lib/values/message.ts';
import { type MinorUnits, roundHalfUp, totalAmount } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { collectPriceIssues, type Offers, type PricedLine, pricesOf, unlessAccepted } from './price.ts';
import { type PricedService, priceServices, type RequestedService } from './services.ts';

/** Discount of a whole sale: an amount, or hundredths of a percent. */
export interface RequestedDiscount {
  readonly amount?: MinorUnits | undefined;
  readonly percent?: MinorUnits | undefined;
}

/** Priced lines of a sale. */
interface PricedSale {
  readonly goods: readonly PricedLine[];
  readonly services: readonly PricedService[];
}

/** Priced lines with their shares of the discount, and the discount as stored. */
export interface DiscountedSale extends PricedSale {
  readonly cheque_discount?: { readonly percent: MinorUnits | null; readonly amount: MinorUnits };
}

/** A hundred percent, in hundredths. */
const WHOLE = 100_00n;

/** Parts of a body that are priced beside its goods. */
interface RequestedBeside {
  readonly services: readonly RequestedService[];
  readonly discount: RequestedDiscount | null;
}

/** Prices the services of a sale with priced goods, and spreads the discount of the whole. */
export function completePricing(
  goods: readonly PricedLine[],
  { services, discount }: RequestedBeside,
  offers: Offers,
  issues: ValidationIssues,
): DiscountedSale {
  const sale = { goods, services: priceServices(services, offers, issues) };
  return spreadDiscount(sale, discount, offers, issues);
}

/**
 * Spreads the discount of a whole sale over all its lines by their amounts, into the discount of each. A
 * discount without the right, one above the sum, and one by which a line is below its minimum go to `issues`.
 * Part 5, 5A.14, 1.
 */
function spreadDiscount(
  sale: PricedSale,
  discount: RequestedDiscount | null,
  offers: Pick<Offers, 'products' | 'pricing'>,
  issues: ValidationIssues,
): DiscountedSale {
  if (discount === null) return sale;
  const { pricing } = offers;
  const { percent = null } = discount;
  const all = [...sale.goods, ...sale.services];
  const sum = totalAmount(all);
  const amount = discount.amount ?? Number(roundHalfUp(BigInt(sum) * BigInt(percent ?? 0), WHOLE));
  const wrong = collectPriceIssues(issues).unless('products', 'bundles', 'services');
  const isByCost = sale.goods.some((line) => pricesOfLine(line, offers)?.isByCost);
  const tooLarge = (max: MinorUnits) =>
    ({ key: 'sale.cheque_discount', with: { max: max / 100, ...(isByCost && REVEALING) } }) as const;
  if (!pricing.canDiscount) unlessAccepted(pricing, issues).add('discount', 'sale.discount_forbidden');
  const floors = [...sale.goods.map((line) => floorOfLine(line, offers)), ...sale.services.map(() => 0)];
  if (amount > sum) wrong.add('discount', tooLarge(mostOf(all, floors, sum)));
  if (amount > sum) return sale;
  const shares = allocateByWeight(
    amount,
    all.map((line) => line.amount),
  );
  const isTooLow = all.some((line, index) => line.amount - (shares[index] ?? 0) < (floors[index] ?? 0));
  if (isTooLow) unlessAccepted(pricing, wrong).add('discount', tooLarge(mostOf(all, floors, sum)));
  const lower = <L extends PricedLine | PricedService>(line: L, share = 0): L => {
    return { ...line, discount: line.discount + share, amount: line.amount - share };
  };
  return {
    goods: sale.goods.map((line, index) => lower(line, shares[index])),
    services: sale.services.map((line, index) => lower(line, shares[sale.goods.length + index])),
    cheque_discount: { percent, amount },
  };
}

/** Returns the least amount of a line: at its minimum price, or as it is if that is less. */
function floorOfLine(line: PricedLine, offers: Pick<Offers, 'products' | 'pricing'>): MinorUnits {
  return Math.min(line.amount, amountOf(pricesOfLine(line, offers)?.least ?? 0, line.sold_quantity));
}

function pricesOfLine(
  { product_id }: PricedLine,
  { products, pricing }: Pick<Offers, 'products' | 'pricing'>,
) {
  const product = products.get(product_id);
  return product && pricesOf(product, pricing, 'discount', new ValidationIssues());
}

/** Computes a discount by which no line is below its least amount, however its share is rounded. */
function mostOf(
  lines: readonly { readonly amount: MinorUnits }[],
  floors: readonly MinorUnits[],
  sum: MinorUnits,
): MinorUnits {
  const rooms = lines.flatMap(({ amount }, index) => {
    const room = BigInt(amount - (floors[index] ?? 0)) * BigInt(sum);
    return amount > 0 ? [Number(room / BigInt(amount))] : [];
  });
  return Math.min(sum, ...rooms);
}
