import type { RefundAllocation } from './allocate-refund.ts';
import type { Original } from './original.ts';
import { join, type Purse, purseOf, splitPurse } from './purse.ts';

/** The purses of a cheque and of those that it was exchanged from, in their order. */
export interface Purses {
  readonly own: Purse;
  readonly origins: readonly Purse[];
}

/** The same before anything is paid out, and what goes to the new cheque of an exchange. */
export interface OpenPurses extends Purses {
  readonly passedOn: Purse;
}

/**
 * Moves the money that an allotment brings down from earlier cheques, and what it passes on to the new one,
 * by how it came.
 */
export function openPurses(
  { sale, debt, origins }: Pick<Original, 'sale' | 'debt' | 'origins'>,
  allotment: RefundAllocation,
): OpenPurses {
  const earlier = origins.map((origin, index) => {
    const comes = Math.max(0, -(allotment.origins[index]?.money ?? 0));
    return splitPurse(purseOf(origin.sale, origin.debt), comes);
  });
  const whole = earlier.reduce((purse, [off]) => join(purse, off), purseOf(sale, debt));
  const [passedOn, own] = splitPurse(whole, allotment.passedOn);
  return { own, passedOn, origins: earlier.map(([, left]) => left) };
}

/** Moves what an allotment gives back to earlier cheques, once the rest has been paid out. */
export function closePurses({ own, origins }: Purses, allotment: RefundAllocation): Purses {
  let left = own;
  const earlier = origins.map((purse, index) => {
    const [off, rest] = splitPurse(left, Math.max(0, allotment.origins[index]?.money ?? 0));
    left = rest;
    return join(purse, off);
  });
  return { own: left, origins: earlier };
}

/** Gives what an exchange's new cheque has: what it inherits, and what was paid on top by bank. */
export function purseOfHeir({ passedOn }: OpenPurses, paidByBank: number): Purse {
  return { ...passedOn, bank: passedOn.bank === null ? null : passedOn.bank + paidByBank };
}
