import { refuseBank } from '#lib/cash/desk/read.ts';
import { mayPayOut } from '#lib/trade/deposit/decide-deposit.ts';
import { collectPriceIssues } from '#lib/trade/pricing/price.ts';
import type { RefundAllocation } from '#lib/trade/return/allocate-refund.ts';
import { countPayouts, type PaidOut, payOut } from '#lib/trade/return/payout.ts';
import type { Purse } from '#lib/trade/return/purse.ts';
import {
  applyPayments,
  enforceDebtLimit,
  type Lender,
  type PaymentResult,
} from '#lib/trade/sale/decide-payments.ts';
import { allPaid, paymentsIn } from '#lib/trade/sale/payments.ts';
import { checkTendered, refuseTenderedPayouts } from '#lib/trade/sale/tendered.ts';
import { MAX_AMOUNT, type MinorUnits, ReceivedPayment } from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { ExchangeSides } from './sides.ts';

/** Difference of an exchange, as paid at one desk: by the customer for the new sale, or to them. */
export interface PaidDifference {
  readonly paid: PaymentResult;
  readonly paidOut: PaidOut;
  /** Remaining money of the original sale. */
  readonly left: Purse;
  /** Payouts that are due, and the part of these or of the surcharge that is not paid yet. */
  readonly payout: MinorUnits;
  readonly unpaid: MinorUnits;
  /** Part of the payouts that the deposit of the original sale's client must get. */
  readonly leastDeposit: MinorUnits;
}

/** Contribution of the original sale: its allocated value, and its money apart from the new sale's share. */
interface Given {
  readonly allotment: RefundAllocation;
  readonly purse: Purse;
  /** True for a preview: the payments may fall short of the difference. Part 5, 5B.5. */
  readonly mayFallShort: boolean;
}

/**
 * Pays the difference between new and returned goods at the desk of the new sale: by the customer if the new
 * ones cost more, otherwise to them. Violations go to `issues`. Part 2, "Sales"; Contract 9.25.
 */
export function payDifference(
  sides: ExchangeSides,
  given: Given,
  lender: Lender,
  issues: ValidationIssues,
): PaidDifference {
  const { original, basis, head, payments } = sides;
  const isSurcharge = given.allotment.goods >= given.allotment.value;
  const surcharge = isSurcharge ? payments : paymentsIn(payments.charge.currency, []);
  const onGoods = collectPriceIssues(issues).unless(
    'products',
    'bundles',
    'services',
    'returned_products',
    'returned_services',
  );
  if (given.allotment.goods > MAX_AMOUNT) onGoods.add('products', 'sale.amount_too_large');
  const wrong = onGoods.unless('products');
  if (isSurcharge) checkSurcharge(sides, given, wrong);
  const missing = given.allotment.goods - given.allotment.value - allPaid(surcharge);
  const none = { payouts: [], left: given.purse, total: 0, unpaid: missing, leastDeposit: 0 };
  const { payouts, left, total, unpaid, leastDeposit } = isSurcharge
    ? none
    : payExcess(sides, given, lender, wrong);
  const limited = enforceDebtLimit(lender, surcharge, basis, issues);
  const paid = applyPayments(basis, limited, head, issues);
  const paidOut = payOut(
    { ...basis.desk, money: paid.money },
    payouts,
    {
      ...head,
      sale: original.sale,
      clientSums: original.clientSums,
      ids: { ...head.ids, return: sides.returnId },
    },
    issues.unless('cashbox_id', 'currency'),
  );
  return { paid, paidOut, left, payout: total, unpaid, leastDeposit };
}

/** Merges payments and payouts of one desk, whose money is one item. */
export function withPayouts({ paid, paidOut: { money, postings } }: PaidDifference): PaymentResult {
  return { ...paid, money, postings: [...paid.postings, ...postings] };
}

/** Validates that a surcharge equals the difference, in the currency of the sale. */
function checkSurcharge(
  { original: { sale }, basis, payments: { transactions }, requested }: ExchangeSides,
  { allotment: { goods, value }, mayFallShort }: Given,
  issues: ValidationIssues,
): void {
  const isOwn = ({ currency }: ExchangeSides['requested'][number]) =>
    currency === null || currency === sale.currency;
  for (const [index, payment] of requested.entries()) {
    if (!isOwn(payment)) issues.add(`transactions.${index}.currency`, 'exchange.foreign_surcharge');
  }
  checkTendered(requested, sale.currency, issues);
  if (!basis.takesPayments) refuseBank(requested, 'transactions', issues);
  const surcharge = goods - value;
  const missing = surcharge - allPaid({ transactions });
  if (missing === 0 || (missing > 0 && mayFallShort)) return;
  const what = { total: surcharge / 100 };
  issues.unless('transactions').add('transactions', { key: 'sale.payments_differ', with: what });
}

/** Counts payouts to the customer: as for a return, and never as a debt. */
function payExcess(
  { original: { sale, clientSums }, requested, basis: { pricing } }: ExchangeSides,
  { allotment, purse, mayFallShort }: Given,
  { actor }: Lender,
  issues: ValidationIssues,
) {
  refuseTenderedPayouts(requested, issues);
  const payouts = requested.flatMap(({ payment_type, amount, currency }, index) => {
    const money = ReceivedPayment.safeParse(payment_type).data;
    if (!money) issues.add(`transactions.${index}.payment_type`, 'exchange.debt_payout');
    return money ? [{ payment_type: money, payment_type_id: null, amount, currency }] : [];
  });
  const paidSale = { sale, clientSums, purse, rates: pricing.rates, mayFallShort };
  return countPayouts({ ...paidSale, mayPayOut: mayPayOut(actor) }, allotment.due, payouts, issues);
}
