import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { repaymentWrite } from '#lib/clients/balance-change.ts';
import { debtAfter, debtWrites } from '#lib/clients/debt/change.ts';
import { debtAt, type StoredDebt } from '#lib/clients/debt/record.ts';
import { deposits, entryWrite } from '#lib/clients/deposit/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { readDebtsOf, readPayer } from './payer.ts';
import { byDeposit, type Portion, portionsOf, postPortions } from './portions.ts';
import { DebtPayment, type DebtPaymentInput, debtPayments, isRefundable } from './record.ts';

/** Created payments, one per debt and payment type. */
export const DebtPaymentsResponse = z.object({ data: z.array(DebtPayment) });

type MadePayments = z.input<typeof DebtPaymentsResponse>;

/**
 * Pays a client's debts in a currency, the earliest due first: each part is a payment of one debt by one
 * payment type, and an income of the desk, or an entry of the client's deposit. All or nothing; 422 with all
 * failing fields. Part 3, "Debt payments"; Contract 9.52; Part 5, 5A.6, 2. Three round trips besides the
 * caller's.
 */
export function payDebts(
  actor: Staff,
  input: DebtPaymentInput,
  at: Instant,
  saveResponse: (made: MadePayments) => Write[],
): Promise<MadePayments> {
  const { tenant } = actor;
  const { client_id, currency } = input;
  return retryOnContention(async () => {
    const { desk, sums, open } = await readPayer(actor, input);
    const portions = portionsOf(open, input.payments);
    const deposited = byDeposit(portions).length;
    const [paymentId, postingId, entryId, owed] = await Promise.all([
      nextId(debtPayments.type, tenant, portions.length),
      nextId(POSTING, tenant, portions.length - deposited),
      nextId(deposits.type, tenant, deposited),
      readDebtsOf(tenant, portions),
    ]);
    const head = { client_id, currency, ...makerOf(actor), paymentId, postingId, entryId, sums, at };
    const posted = postPortions(desk, portions, head);
    const paid = owed.map((before) => ({ before, after: repay(before, portions, at) }));
    const debts = new Map(paid.map(({ after }) => [after.id, debtAt(after, at)]));
    const paidAt = Math.max(at, sums.debt_paid_at ?? 0);
    const data = posted.payments.map((payment) => {
      const is_refundable = isRefundable(payment, paidAt);
      return { ...payment, is_refundable, debt: debts.get(payment.debt_id) };
    });
    await transact([
      ...posted.payments.map((payment) => documentInsertion(debtPayments, tenant, payment)),
      ...paid.flatMap(({ before, after }) => debtWrites(tenant, before, after)),
      ...posted.entries.map((entry) => entryWrite(tenant, entry)),
      repaymentWrite({ tenant, id: client_id }, sums, {
        ...{ debt: -totalAmount(portions), deposit: totalAmount(posted.entries), currency, paidAt: at },
      }),
      ...writesAt(tenant, posted),
      ...saveResponse({ data }),
    ]);
    return { data };
  });
}

/** Computes a debt after portions of it are paid. */
function repay(before: StoredDebt, portions: readonly Portion[], at: Instant): StoredDebt {
  const own = portions.filter(({ debt }) => debt.id === before.id);
  const repaid = { repaid: totalAmount(own), byDeposit: totalAmount(byDeposit(own)) };
  return debtAfter(before, repaid, at);
}
