import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { notFound } from '#lib/values/api-error.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { Money } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { findPayment, PaymentStatus } from './record.ts';

/** Path parameters of a payment's status. */
export const PaymentParams = z.object({ externalId: z.string().max(64) });

/** Status of a payment, polled while its QR code is on screen. */
export const PaymentStanding = z.object({
  external_id: z.string(),
  status: PaymentStatus,
  status_label: z.string(),
  amount: Money,
  is_paid: z.boolean(),
});

/** Returns the status of a payment of the caller's family. 404 for any other. */
export async function standingOf(
  { familyId }: Staff,
  { externalId }: z.output<typeof PaymentParams>,
  locale: Locale,
): Promise<z.input<typeof PaymentStanding>> {
  const payment = await findPayment(externalId);
  if (payment?.family_id !== familyId) throw notFound();
  const { external_id, status, amount } = payment;
  const status_label = translateLabel(locale, { key: `tariff_payment.${status}` });
  return { external_id, status, status_label, amount, is_paid: status === 'paid' };
}
