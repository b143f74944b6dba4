import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { confirmByCode } from '#lib/billing/gateway.ts';
import { findTariff } from '#lib/billing/record.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { text } from '#lib/values/fields.ts';
import { missing, refuse } from '#lib/values/refusal.ts';
import { findPayment } from './record.ts';

/** Input to confirm a card payment. Part 3, "Subscription tariff and payment". */
export const ConfirmationInput = z.object({ transaction_id: text(255), cid: text(255), otp: text(20) });

/** The gateway's answer to a code, with the payment to ask the status of. */
export const Confirmed = z.object({
  external_id: z.string(),
  transaction_id: z.string(),
  status: z.string(),
});

/**
 * Passes the code for the family's latest payment on to the gateway; the balance is topped up after its
 * notification. 404 for any other payment, 400 if it was canceled or has failed and for a wrong or expired
 * code, 503 if the gateway fails.
 */
export async function confirmPayment(
  { familyId }: Staff,
  input: z.output<typeof ConfirmationInput>,
  remember: (answer: unknown) => Write[],
): Promise<z.input<typeof Confirmed>> {
  const tariff = await findTariff(familyId);
  const payment = tariff?.external_id ? await findPayment(tariff.external_id) : undefined;
  if (payment?.method !== 'card' || payment.transaction_id !== input.transaction_id) throw missing();
  const { external_id, status } = payment;
  if (status === 'failed' || status === 'canceled') throw refuse('tariff.payment_over');
  // Sent again after the notification: there is nothing left to confirm.
  const { transaction_id } = input;
  const told = status === 'paid' ? { transaction_id, status } : await confirmByCode(input);
  const answer = { external_id, ...told };
  await transact(remember(answer));
  return answer;
}
