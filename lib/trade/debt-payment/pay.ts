import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { type DebtPaymentFacts, debtPaymentWrites, decideDebtPayment } from './decide-payment.ts';
import { decidePortions, type PortionsPlan } from './decide-portions.ts';
import { readDebtsOf, readPayer } from './payer.ts';
import { byDeposit } from './portions.ts';
import { DebtPayment, type DebtPaymentInput, debtPayments } from './record.ts';

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
  return retryOnContention(async () => {
    const portions = decidePortions(input, await readPayer(actor, input));
    const plan = decideDebtPayment(actor, input, await readPortions(tenant, portions), at);
    const { data } = plan;
    await transact([...debtPaymentWrites(tenant, input, plan, at), ...saveResponse({ data })]);
    return { data };
  });
}

/** Reads the debts of the portions, and draws the ids of their parts. One round trip. */
async function readPortions(tenant: Tenant, plan: PortionsPlan): Promise<DebtPaymentFacts> {
  const { portions } = plan;
  const deposited = byDeposit(portions).length;
  const [payment, posting, entry, owed] = await Promise.all([
    nextId(debtPayments.type, tenant, portions.length),
    nextId(POSTING, tenant, portions.length - deposited),
    nextId(deposits.type, tenant, deposited),
    readDebtsOf(tenant, portions),
  ]);
  return { ...plan, ids: { payment, posting, entry }, owed };
}
