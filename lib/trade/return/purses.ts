import type { RefundAllocation } from './allocate-refund.ts';
import type { Original } from './original.ts';
import { join, type Purse, purseOf, splitPurse } from './purse.ts';

/** Purses of a sale and of those that it was exchanged from, nearest first. */
export interface Purses {
  readonly own: Purse;
  readonly origins: readonly Purse[];
}

/** The same before payouts, with the purse passed on to an exchange's new sale. */
export interface OpenPurses extends Purses {
  readonly passedOn: Purse;
}

/**
 * Moves the money that an allocation takes from earlier sales, and the part passed on to the new one, by
 * origin.
 */
export function openPurses(
  { sale, debt, origins }: Pick<Original, 'sale' | 'debt' | 'origins'>,
  allocation: RefundAllocation,
): OpenPurses {
  const earlier = origins.map((origin, index) => {
    const comes = Math.max(0, -(allocation.origins[index]?.money ?? 0));
    return splitPurse(purseOf(origin.sale, origin.debt), comes);
  });
  const whole = earlier.reduce((purse, [off]) => join(purse, off), purseOf(sale, debt));
  const [passedOn, own] = splitPurse(whole, allocation.passedOn);
  return { own, passedOn, origins: earlier.map(([, left]) => left) };
}

/** Moves the money that an allocation returns to earlier sales, after the payouts. */
export function closePurses({ own, origins }: Purses, allocation: RefundAllocation): Purses {
  let left = own;
  const earlier = origins.map((purse, index) => {
    const [off, rest] = splitPurse(left, Math.max(0, allocation.origins[index]?.money ?? 0));
    left = rest;
    return join(purse, off);
  });
  return { own: left, origins: earlier };
}

/** Returns the purse of an exchange's new sale: the inherited money, and additional bank payments. */
export function purseOfHeir({ passedOn }: OpenPurses, paidByBank: number): Purse {
  return { ...passedOn, bank: passedOn.bank === null ? null : passedOn.bank + paidByBank };
}
