import * as z from 'zod';
import { Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import type { RefundAllocation } from './allocate-refund.ts';
import { coinsWithin, type Purse } from './purse.ts';

/** Refund of a return or an exchange, as previews show it. Part 5, 5B.5. */
export const RefundDue = z.object({
  /** Part of the returned value that closes debts. */
  closes_debt: Money,
  /** Part of the refund that is still to be paid out, in the currency of the sale. */
  left: Money,
  /** Part of the refund that the client's deposit must get. */
  deposit_least: Money,
  /** Money in other currencies that can be refunded as such, at most. */
  foreign: z.array(z.object({ currency: Currency, most: Money })),
});

/** Counted payouts, as far as the refund follows from them. */
interface Refunded {
  readonly unpaid: MinorUnits;
  readonly leastDeposit: MinorUnits;
}

/** Computes the refund that is due by an allocation, from a purse. */
export function refundDue(
  { closed, due, origins }: RefundAllocation,
  { unpaid, leastDeposit }: Refunded,
  { cash }: Purse,
): z.input<typeof RefundDue> {
  return {
    closes_debt: origins.reduce((sum, origin) => sum + origin.closed, closed),
    left: unpaid,
    deposit_least: leastDeposit,
    foreign: cash.flatMap((each) => {
      const most = coinsWithin(each, due - leastDeposit);
      return most > 0 ? [{ currency: each.currency, most }] : [];
    }),
  };
}
