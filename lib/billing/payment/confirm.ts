import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type RateLimit, recordAttempt, refundAttempt, takeAttempts } from '#lib/auth/rate-limit.ts';
import { CardConfirmation, confirmByCode } from '#lib/billing/gateway.ts';
import { findTariff } from '#lib/billing/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { findPayment, type TariffPayment } from './record.ts';

/** How many codes may be sent for a payment that do not confirm it: a code has but a few digits. */
export const CODES_OF_PAYMENT: RateLimit = {
  name: 'codes-of-payment',
  max: 5,
  seconds: 3600,
  isCountedByOperation: true,
};

/** The same for all payments of a family: every new one has a new code to be guessed. */
const CODES_OF_FAMILY: RateLimit = { ...CODES_OF_PAYMENT, name: 'codes-of-family', max: 20 };

/** Input to confirm a card payment. Part 3, "Subscription tariff and payment". */
export const ConfirmationInput = z.object({ transaction_id: text(255), cid: text(255), otp: text(20) });

type ConfirmationInput = z.output<typeof ConfirmationInput>;

/** The gateway's answer to a code, with the payment to ask the status of. */
export const Confirmed = z.object({ external_id: z.string(), ...CardConfirmation.shape });

/**
 * Passes the code for the family's latest payment on to the gateway; the balance is topped up after its
 * notification. 404 for any other payment, 400 if it was canceled or has failed and for a wrong or expired
 * code, 503 if the gateway fails, 429 if too many codes were sent.
 */
export async function confirmPayment(
  { familyId }: Staff,
  input: ConfirmationInput,
  at: Instant,
  saveResponse: (answer: unknown) => Write[],
): Promise<z.input<typeof Confirmed>> {
  const tariff = await findTariff(familyId);
  const payment = tariff?.external_id ? await findPayment(tariff.external_id) : undefined;
  if (payment?.method !== 'card' || payment.transaction_id !== input.transaction_id) throw notFound();
  const { external_id, status } = payment;
  if (status === 'failed' || status === 'canceled') throw badRequest('tariff.payment_over');
  // Sent again after the notification: there is nothing left to confirm.
  const { transaction_id } = input;
  const told = status === 'paid' ? { transaction_id, status } : await tryCode(payment, input, at);
  const answer = { external_id, ...told };
  await transact(saveResponse(answer));
  return answer;
}

/**
 * Sends a code on. It counts as a try unless it is right, even if the gateway fails, as that may have looked
 * at it.
 */
async function tryCode(
  { external_id, family_id }: TariffPayment,
  input: ConfirmationInput,
  at: Instant,
): Promise<z.output<typeof CardConfirmation>> {
  const counted = [
    [CODES_OF_PAYMENT, external_id],
    [CODES_OF_FAMILY, String(family_id)],
  ] as const;
  const tries = await takeAttempts(counted, at);
  const told = await confirmByCode(input).catch(async (error: unknown) => {
    await Promise.all(tries.map(recordAttempt));
    throw error;
  });
  await Promise.all(tries.map(refundAttempt));
  return told;
}
