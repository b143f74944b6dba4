import { type Floored, floorOf, type LatestCost } from '#lib/catalog/floor.ts';
import type { PriceFields } from '#lib/catalog/price.ts';
import { missingRateMessage } from '#lib/trade/pricing/price.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import type { MinorUnits, Rates } from '#lib/values/money.ts';

/** A line of a receipt, with the currency that its cost is in. */
type Line = LatestCost & { readonly sale_price: MinorUnits | null };

/** Why a line's price can't be its product's: the floor that it is under, or a currency without a rate. */
interface Obstacle {
  readonly phrase: MessageDescriptor;
  /** Undefined if it can't be told. */
  readonly floor: MinorUnits | undefined;
}

/**
 * Tells why a line can't give its product its sale price; undefined if it can. Its own cost is the latest, as
 * its goods are the newest once it is completed. A price that the product has already is not set. Contract
 * 9.107; Contract 9.108.
 */
export function whyNotPriced(
  card: PriceFields & Floored,
  { sale_price, cost, currency }: Line,
  rates: Rates,
): Obstacle | undefined {
  if (sale_price === null || sale_price === card.sale_price) return undefined;
  const floor = floorOf(card, { cost, currency }, { currency: card.sale_currency, rates });
  if (floor === undefined) return { phrase: missingRateMessage(currency), floor };
  return sale_price < floor
    ? { phrase: { key: 'sale.price_too_low', with: { min: floor / 100 } }, floor }
    : undefined;
}
