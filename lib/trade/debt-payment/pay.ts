import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import { deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { postingWrites } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { repaymentWrite } from '#lib/clients/charge.ts';
import { debtAfter, debtWrites } from '#lib/clients/debt/change.ts';
import type { OpenDebt } from '#lib/clients/debt/open.ts';
import { debtAt, type StoredDebt } from '#lib/clients/debt/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { totalAmount } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import type { DebtPaymentInput } from './input.ts';
import { readDebtsOf, readPayer, sumOwed } from './payer.ts';
import { type Portion, portionsOf } from './portion.ts';
import { postPortions } from './post.ts';
import { DebtPayment, debtPayments, isRefundable } from './record.ts';

/** Payments that were made, by debt. */
export const MadePayments = z.object({ data: z.array(DebtPayment) });

type MadePayments = z.input<typeof MadePayments>;

/** More debts would make one call too long, and its answer. */
const MOST_DEBTS = 300;

/**
 * Pays a client's debts in a currency, the earliest due first: each part is a payment of one debt in one way,
 * and an income of the desk. All of it or nothing; 422 with all failing fields. Part 3, "Debt payments";
 * Decisions, 9 (52). Three round trips beside the caller's.
 */
export async function payDebts(
  actor: Staff,
  input: DebtPaymentInput,
  at: Instant,
  remember: (made: MadePayments) => Write[],
): Promise<MadePayments> {
  const { home } = actor;
  const { client_id, currency } = input;
  return retryOnContention(async () => {
    const problems = new Problems();
    const { desk, sums, open } = await readPayer(actor, input, problems);
    checkTotal(input, open, problems);
    problems.throwIfAny();
    if (!desk || !sums) throw new Error('A payment without problems has its desk and its client');

    const portions = portionsOf(open, input.payments);
    const [firstId, postingId, owed] = await Promise.all([
      nextId(debtPayments.type, home, portions.length),
      nextId(POSTING, home, portions.length),
      readDebtsOf(home, portions),
    ]);
    const ids = { payment: firstId, posting: postingId };
    const head = { client_id, currency, maker: makerOf(actor), ids, at };
    const posted = postPortions(desk, portions, head, problems);
    problems.throwIfAny();

    const paid = owed.map((before) => ({ before, after: repay(before, portions, at) }));
    const debts = new Map(paid.map(({ after }) => [after.id, debtAt(after, at)]));
    const paidAt = Math.max(at, sums.debt_paid_at ?? 0);
    const data = posted.payments.map((payment) => {
      const is_refundable = isRefundable(payment, paidAt);
      return { ...payment, is_refundable, debt: debts.get(payment.debt_id) };
    });
    const total = totalAmount(portions);
    await transact([
      ...posted.payments.map((payment) => documentInsertion(debtPayments, home, payment)),
      ...paid.flatMap(({ before, after }) => debtWrites(home, before, after)),
      repaymentWrite({ home, id: client_id }, sums, { debt: -total, currency, paidAt: at }),
      deskMoneyWrite(home, desk, desk.money, posted.money),
      ...postingWrites(home, posted.postings),
      ...remember({ data }),
    ]);
    return { data };
  });
}

/** Checks that no more is paid than is owed, nor more debts than go into one call. */
function checkTotal({ payments }: DebtPaymentInput, open: readonly OpenDebt[], problems: Problems): void {
  const total = totalAmount(payments);
  const [remaining, most] = [sumOwed(open), sumOwed(open.slice(0, MOST_DEBTS))];
  if (total > remaining) {
    problems
      .unless('client_id')
      .add('payments', { key: 'debt_payment.too_much', with: { remaining: remaining / 100 } });
  } else if (total > most) {
    problems.unless('client_id').add('payments', {
      key: 'debt_payment.too_many_debts',
      with: { most: MOST_DEBTS, amount: most / 100 },
    });
  }
}

/** Gives a debt as it is once portions of it are paid. */
function repay(before: StoredDebt, portions: readonly Portion[], at: Instant): StoredDebt {
  const own = portions.filter(({ debt }) => debt.id === before.id);
  return debtAfter(before, { repaid: totalAmount(own) }, at);
}
