import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
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
    const [off, left] = splitPurse(purseOf(origin.sale, origin.debt), comes);
    return [between(origin, { sale }, off), left] as const;
  });
  const whole = earlier.reduce((purse, [off]) => join(purse, off), purseOf(sale, debt));
  const [passedOn, own] = splitPurse(whole, allocation.passedOn);
  return { own, passedOn, origins: earlier.map(([, left]) => left) };
}

/** Moves the money that an allocation returns to earlier sales, after the payouts. */
export function closePurses(
  original: Pick<Original, 'sale' | 'origins'>,
  { own, origins }: Purses,
  allocation: RefundAllocation,
): Purses {
  let left = own;
  const earlier = original.origins.map((origin, index) => {
    const [off, rest] = splitPurse(left, Math.max(0, allocation.origins[index]?.money ?? 0));
    left = rest;
    return join(origins[index] ?? purseOf(origin.sale, origin.debt), between(original, origin, off));
  });
  return { own: left, origins: earlier };
}

/** Returns money moving between two sales: a deposit of another client is plain money there. */
function between(from: { readonly sale: Sale }, to: { readonly sale: Sale }, off: Purse): Purse {
  return from.sale.client_id === to.sale.client_id ? off : { ...off, deposit: 0 };
}

/**
 * Returns the purse of an exchange's new sale: the inherited money, and additional payments by bank and
 * deposit.
 */
export function purseOfHeir({ passedOn }: OpenPurses, heir: Sale): Purse {
  const [byBank, byDeposit] = [amountPaidBy(['bank'], heir), amountPaidBy(['deposit'], heir)];
  return {
    ...passedOn,
    bank: passedOn.bank === null ? null : passedOn.bank + byBank,
    deposit: passedOn.deposit + byDeposit,
  };
}
