import * as z from 'zod';
import { allocateInOrder } from '#lib/values/allocation.ts';
import { type MinorUnits, Money, roundHalfUp, totalAmount } from '#lib/values/money.ts';
import type { Earning } from './bonuses.ts';

/**
 * Bonuses earned by a sale's money, there or in sales that passed it on: one share per day from which they
 * can be spent. Contract 9.79.
 */
export const BonusShare = z.object({
  available_on: z.string(),
  amount: Money,
  /** Part gone with the money: taken back or passed on. */
  gone_amount: Money,
});

export type BonusShare = z.input<typeof BonusShare>;

/** Adds earnings to the shares of their days; the latest day comes first. */
export function withEarnings(shares: readonly BonusShare[], earnings: readonly Earning[]): BonusShare[] {
  const added = earnings.map(({ day, amount }) => ({ available_on: day, amount, gone_amount: 0 }));
  const all = [...shares, ...added].filter(({ amount }) => amount > 0);
  return [...Map.groupBy(all, ({ available_on }) => available_on)]
    .map(([available_on, ofDay]) => {
      const gone_amount = ofDay.reduce((sum, share) => sum + share.gone_amount, 0);
      return { available_on, amount: totalAmount(ofDay), gone_amount };
    })
    .sort((a, b) => (a.available_on < b.available_on ? 1 : -1));
}

/**
 * Returns the shares, and the bonuses now to be taken from them, latest first, once `gone` of the `came`
 * money of their sale is gone. Bonuses go in proportion to the money, so that all steps together take all of
 * them.
 */
export function withoutMoney(
  shares: readonly BonusShare[],
  { came, gone }: { readonly came: MinorUnits; readonly gone: MinorUnits },
): { readonly shares: BonusShare[]; readonly going: Earning[] } {
  const all = totalAmount(shares);
  const part = gone >= came ? all : Number(roundHalfUp(BigInt(all) * BigInt(gone), BigInt(came)));
  let left = shares.reduce((rest, { gone_amount }) => rest - gone_amount, part);
  const going = shares.map(({ available_on: day, amount, gone_amount }) => {
    const more = Math.max(0, Math.min(amount - gone_amount, left));
    left -= more;
    return { day, amount: more };
  });
  const after = shares.map((share, index) => {
    return { ...share, gone_amount: share.gone_amount + (going[index]?.amount ?? 0) };
  });
  return { shares: after, going };
}

/** Divides earnings, in their order, into the amounts. */
export function divideInto(amounts: readonly MinorUnits[], earnings: readonly Earning[]): Earning[][] {
  let rest = earnings;
  return amounts.map((amount) => {
    const taken = atMost(amount, rest);
    rest = rest.map(({ day, amount }, index) => ({ day, amount: amount - (taken[index]?.amount ?? 0) }));
    return taken;
  });
}

/** Limits earnings to an amount, in their order. */
export function atMost(amount: MinorUnits, earnings: readonly Earning[]): Earning[] {
  const parts = allocateInOrder(
    amount,
    earnings.map((each) => each.amount),
  );
  return earnings.map(({ day }, index) => ({ day, amount: parts[index] ?? 0 }));
}
