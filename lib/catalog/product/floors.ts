import { isDeepStrictEqual } from 'node:util';
import type { Staff } from '#lib/auth/actor.ts';
import type { Floored } from '#lib/catalog/floor.ts';
import { type PriceFields, priceOf } from '#lib/catalog/price.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

type Bounded = PriceFields & Floored;

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

/** Validates that a card is not priced below its own minimum. Contract 9.90. */
export function checkMinimum({ after, prefix = '' }: BoundedChange, issues: ValidationIssues): void {
  const { min_price, sale_price } = after;
  if (min_price !== null && min_price > sale_price)
    issues.add(`${prefix}min_price`, 'product.min_above_price');
}
