import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { Client } from '#lib/clients/client.ts';
import { ClientBalances } from '#lib/clients/client-balances.ts';
import { Debt, StoredDebt } from '#lib/clients/debt/record.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, exactOrList } from '#lib/records/query/filters.ts';
import { Id } from '#lib/values/fields.ts';
import { amount, Currency, Money, paymentList, ReceivedPayment } from '#lib/values/money.ts';
import { dayOf, type Instant, Timestamp } from '#lib/values/time.ts';

const Payment = z.object({
  id: z.int(),
  ...madeBy,
  /** Company of the desk. */
  company_id: z.int(),
  client_id: z.int(),
  debt_id: z.int(),
  cashbox_id: z.int(),
  is_refunded: z.boolean(),
  payment_type: ReceivedPayment,
  currency: Currency,
  amount: Money,
  is_imported: z.boolean(),
  /** Income of the desk, and outcome of a refund; null for a payment by deposit. */
  transfer_id: z.int().nullable(),
  refund_transfer_id: z.int().nullable(),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  client: Client.nullish(),
  cashbox: Desk.nullish(),
});

/** Payment of a debt as read, with data stored apart from it. */
export const StoredDebtPayment = Payment.extend({
  debt: StoredDebt.nullish(),
  sums: ClientBalances.nullish(),
});

export type StoredDebtPayment = z.input<typeof StoredDebtPayment>;

/** Part of a payment of debts: one debt, by one payment type. Part 3, "Debt payment". */
export const DebtPayment = Payment.extend({ is_refundable: z.boolean(), debt: Debt.nullish() });

export type DebtPayment = z.input<typeof DebtPayment>;

/** Document type of debt payments: refunded ones stay. */
export const debtPayments: DocumentType<typeof StoredDebtPayment> = {
  type: 'debt-payment',
  copied: 'client.debt-payment',
  schema: StoredDebtPayment,
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    client_id: exact('client_id', Id),
    debt_id: exact('debt_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    payment_type: exactOrList('payment_type', ReceivedPayment),
    currency: exactOrList('currency', Currency),
    is_refunded: exact('is_refunded', z.boolean()),
  },
  reach: (actor) => withinReachOf(actor),
};

/**
 * Checks whether a payment can be refunded: it was made on the client's last payment day, is not imported and
 * not refunded. Part 3, "Debt payments"; Contract 9.53.
 */
export function isRefundable(
  { is_refunded, is_imported, created_at }: StoredDebtPayment,
  latest: Instant | undefined,
): boolean {
  if (is_refunded || is_imported || latest === undefined) return false;
  return dayOf(created_at) === dayOf(latest);
}

/** Input to pay a client's debts. Part 3, "Debt payments". */
export const DebtPaymentInput = z.object({
  client_id: Id,
  cashbox_id: Id,
  currency: Currency.default('uzs'),
  payments: paymentList(z.object({ payment_type: ReceivedPayment, amount: amount(0.01) })).min(1),
});

export type DebtPaymentInput = z.output<typeof DebtPaymentInput>;
