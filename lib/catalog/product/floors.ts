import { isDeepStrictEqual } from 'node:util';
import type { Staff } from '#lib/auth/actor.ts';
import type { Floored } from '#lib/catalog/floor.ts';
import { type PriceFields, priceOf } from '#lib/catalog/price.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

type Bounded = PriceFields & Floored;

/** A card as it is, if there is one, and as it would be. */
export interface BoundedChange {
  readonly before: Bounded | undefined;
  readonly after: Bounded & { readonly id: number };
  /** What stands before its fields in the body's paths. */
  readonly prefix?: string;
}

/**
 * Checks that cards are priced at their floors or above; what is wrong goes to `problems`. Whoever knows the
 * costs of goods does it, which stand above the cards.
 */
export type FloorCheck = (
  actor: Staff,
  changes: readonly BoundedChange[],
  issues: ValidationIssues,
) => Promise<void>;

/** Tells whether a change asks for another price or another floor: else nobody asks. Contract 9.108. */
export function asksForPrice({ before, after }: BoundedChange): boolean {
  if (!before) return true;
  const isSame = isDeepStrictEqual(priceOf(before), priceOf(after));
  return !isSame || before.min_price_percent !== after.min_price_percent;
}

/** Checks that a card is not priced under its own minimum. Contract 9.90. */
export function checkMinimum({ after, prefix = '' }: BoundedChange, issues: ValidationIssues): void {
  const { min_price, sale_price } = after;
  if (min_price !== null && min_price > sale_price)
    issues.add(`${prefix}min_price`, 'product.min_above_price');
}
