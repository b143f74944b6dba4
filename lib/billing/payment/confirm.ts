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

/** Wrong codes per payment and hour: a code has only a few digits. */
export const CODES_OF_PAYMENT: RateLimit = {
  name: 'codes-of-payment',
  max: 5,
  seconds: 3600,
  isCountedByOperation: true,
};

/** The same for all payments of a family: each new one has a new code to guess. */
const CODES_OF_FAMILY: RateLimit = { ...CODES_OF_PAYMENT, name: 'codes-of-family', max: 20 };

/** Input to confirm a card payment. Part 3, "Subscription tariff and payment". */
export const ConfirmationInput = z.object({ transaction_id: text(255), cid: text(255), otp: text(20) });

type ConfirmationInput = z.output<typeof ConfirmationInput>;

/** Response of the gateway to a code, with the payment id to poll. */
export const Confirmed = z.object({ external_id: z.string(), ...CardConfirmation.shape });

/**
 * Confirms the family's latest payment by a code; the balance is topped up by the gateway's notification. 404
 * for any other payment, 400 if it was canceled or has failed and for a wrong or expired code, 503 if the
 * gateway fails, 429 after too many wrong codes.
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
  // Repeated after the notification: nothing is left to confirm.
  const { transaction_id } = input;
  const confirmation = status === 'paid' ? { transaction_id, status } : await tryCode(payment, input, at);
  const answer = { external_id, ...confirmation };
  await transact(saveResponse(answer));
  return answer;
}

/**
 * Sends a code to the gateway. It counts as an attempt unless it is right, even if the gateway fails, as the
 * gateway may have checked it.
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
  const confirmation = await confirmByCode(input).catch(async (error: unknown) => {
    await Promise.all(tries.map(recordAttempt));
    throw error;
  });
  await Promise.all(tries.map(refundAttempt));
  return confirmation;
}
