import { type Floored, floorOf, isFloorByCost, type LatestCost } from '#lib/catalog/floor.ts';
import type { PriceFields } from '#lib/catalog/price.ts';
import { missingRateMessage } from '#lib/trade/pricing/price.ts';
import { type MessageDescriptor, REVEALING } from '#lib/values/message.ts';
import type { MinorUnits, Rates } from '#lib/values/money.ts';

/** Line of a goods receipt, with the currency of its cost. */
type Line = LatestCost & { readonly sale_price: MinorUnits | null };

/** Reason why a line's price cannot be applied: it is below the floor, or a currency has no rate. */
interface Obstacle {
  readonly phrase: MessageDescriptor;
  /** Undefined without a rate. */
  readonly floor: MinorUnits | undefined;
  /** True if the floor reveals the cost. */
  readonly isByCost?: boolean;
}

/**
 * Returns the reason why a line cannot set its product's sale price; undefined if it can. The line's own cost
 * is the latest, because its goods are the newest on completion. A price equal to the present one is not set.
 * Contract 9.107; Contract 9.108.
 */
export function whyNotPriced(
  card: PriceFields & Floored,
  { sale_price, cost, currency }: Line,
  rates: Rates,
): Obstacle | undefined {
  if (sale_price === null || sale_price === card.sale_price) return undefined;
  const [latest, quote] = [
    { cost, currency },
    { currency: card.sale_currency, rates },
  ];
  const floor = floorOf(card, latest, quote);
  if (floor === undefined) return { phrase: missingRateMessage(currency), floor };
  if (sale_price >= floor) return undefined;
  const isByCost = isFloorByCost(card, latest, quote);
  const values = { min: floor / 100, ...(isByCost && REVEALING) };
  return { phrase: { key: 'sale.price_too_low', with: values }, floor, isByCost };
}
