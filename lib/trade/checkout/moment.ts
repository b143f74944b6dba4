import { bundleSpans } from '#lib/catalog/bundle.ts';
import { cardSpans } from '#lib/catalog/price.ts';
import { pricesHeldFor } from '#lib/trade/pricing/held-prices.ts';
import { findMoment, type Moment, type Past } from '#lib/trade/pricing/moment.ts';
import type { Offers } from '#lib/trade/pricing/price.ts';
import { settlePayments } from '#lib/trade/sale/foreign-cash.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { checkTotal, paymentsOf } from '#lib/trade/sale/payments.ts';
import { otherCurrency, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { priceGoods, type RedeemedHold } from './redeem-hold.ts';

/** What a sale rests on as it was read, and when it was sold and came. */
interface Circumstances {
  readonly basis: SaleContext;
  readonly redeemed: RedeemedHold | undefined;
  /** When it was sold, if it comes late. */
  readonly offlineSince: Instant | null;
  readonly at: Instant;
  readonly areAccepted: boolean;
}

/**
 * Gives all that a sale is judged by: as it is, or if it comes late, as it was at the one moment that is
 * found for it. What is forgotten, and another sale currency than that of the moment, goes to `problems`.
 * Part 4, 4.4, 3.
 */
export function offersFor(
  sale: SaleInput,
  { basis, redeemed, offlineSince, at, areAccepted }: Circumstances,
  issues: ValidationIssues,
): Offers & Partial<Pick<Moment, 'second'>> {
  const promised = redeemed && pricesHeldFor(redeemed.lines);
  const { products, bundles } = basis;
  const pricing = { ...basis.pricing, areAccepted, ...(promised && { promised }) };
  const now = { products, bundles, pricing };
  if (offlineSince === null) return now;
  const judge = (part: SaleInput, moment: Moment, wrong: ValidationIssues) => {
    judgeAt(moment, part, redeemed, wrong);
  };
  const moment = findMoment(sale, pastOf(basis), { sold_at: offlineSince, at, pricing, judge });
  // Both rest on the desk, whose company has them.
  const wrong = issues.unless('cashbox_id');
  if (moment) checkCurrency(sale, moment, wrong);
  else if (!areAccepted) wrong.add('sold_at', 'sale.sold_at');
  return moment ?? now;
}

function pastOf({ products, bundles, rates }: SaleContext): Past {
  return {
    products: new Map([...products].map(([id, card]) => [id, cardSpans(card)])),
    bundles: new Map([...bundles].map(([id, bundle]) => [id, bundleSpans(bundle)])),
    rates,
  };
}

/** Judges a sale as of a moment: its prices, marks and currency, and what foreign cash counts for. */
function judgeAt(
  moment: Moment,
  sale: SaleInput,
  redeemed: RedeemedHold | undefined,
  issues: ValidationIssues,
): void {
  checkCurrency(sale, moment, issues);
  const lines = priceGoods(sale, redeemed, moment, issues);
  validateTrackingCodes(sale, lines, moment.products, issues);
  const isForeign = sale.transactions.some(({ currency }) => currency !== null && currency !== sale.currency);
  if (!isForeign) return;
  checkTotal(settlePayments(paymentsOf(sale), lines, moment.pricing, issues), lines, issues);
}

/** Checks that a sale is in the sale currency of its moment; a hold goes in its own. Contract 9.115. */
function checkCurrency(
  { currency, hold_id }: Pick<SaleInput, 'currency' | 'hold_id'>,
  { saleCurrency }: Moment,
  issues: ValidationIssues,
): void {
  if (hold_id === null && currency !== saleCurrency) issues.add('currency', otherCurrency(saleCurrency));
}
