import { isDeepStrictEqual } from 'node:util';
import type { Staff } from '#lib/auth/actor.ts';
import type { Floored } from '#lib/catalog/floor.ts';
import { type PriceFields, priceOf } from '#lib/catalog/price.ts';
import { type TypePrice, typePriceChanges } from '#lib/catalog/type-prices.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

type Bounded = PriceFields & Floored;

/** Price of a card by a type, with its place in `prices`. */
interface PlacedPrice extends TypePrice {
  readonly index: number;
}

/** Present card, if any, and intended card. */
export interface BoundedChange {
  readonly before: Bounded | undefined;
  readonly after: Bounded & { readonly id: number };
  /** Prefix of its fields' paths in the body. */
  readonly prefix?: string;
}

/**
 * Validates that cards are priced at their floors or above; violations go to `issues`. Implemented where the
 * costs of goods are known, in a layer above the cards.
 */
export type FloorCheck = (
  actor: Staff,
  changes: readonly BoundedChange[],
  issues: ValidationIssues,
) => Promise<void>;

/**
 * Checks whether a change affects the price or the floor; other changes are not validated. Contract 9.108.
 */
export function asksForPrice({ before, after }: BoundedChange): boolean {
  if (!before) return true;
  const isSame = isDeepStrictEqual(priceOf(before), priceOf(after));
  return !isSame || before.min_price_percent !== after.min_price_percent;
}

/** Lists the prices by type that a change affects: all of them if it affects the floor. Part 5, 5A.14, 2. */
export function typePricesAsked({ before, after }: BoundedChange): PlacedPrice[] {
  const all = (after.prices ?? []).map((each, index) => ({ ...each, index }));
  const floors = [before, after].map(
    (card) => card && [card.min_price, card.min_price_percent, card.min_price === null || card.sale_currency],
  );
  if (!isDeepStrictEqual(floors[0], floors[1])) return all;
  const changed = new Set(typePriceChanges(before, after).map(({ price_type_id }) => price_type_id));
  return all.filter(({ price_type_id }) => changed.has(price_type_id));
}

/** Validates that a card is not priced below its own minimum. Contract 9.90. */
export function checkMinimum({ after, prefix = '' }: BoundedChange, issues: ValidationIssues): void {
  const { min_price, sale_price } = after;
  if (min_price !== null && min_price > sale_price)
    issues.add(`${prefix}min_price`, 'product.min_above_price');
}
