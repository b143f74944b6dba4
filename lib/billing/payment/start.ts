import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import type { RateLimit } from '#lib/auth/rate-limit.ts';
import { CardPayment, orderByCard, orderByQr, QrProvider } from '#lib/billing/gateway.ts';
import { findTariff, tariffReplacement } from '#lib/billing/record.ts';
import { qrCodeImage } from '#lib/printing/barcode.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid, notFound } from '#lib/values/api-error.ts';
import { digits, orNull, Phone, text } from '#lib/values/fields.ts';
import { amount, MAX_AMOUNT } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { findPayment, newExternalId, paymentInsertion, statusWrite, type TariffPayment } from './record.ts';

/** Card payments that a user may start per hour: each sends an SMS and tries a card. */
export const CARD_PAYMENTS: RateLimit = { name: 'card-payments', max: 20, seconds: 3600 };

/** Input to pay by card. Part 3, "Subscription tariff and payment". */
export const CardPaymentInput = z.object({
  amount: amount(1),
  card_number: digits(16),
  expire_date: text(7),
  phone: orNull(Phone),
});

/** Response with the data to confirm a card payment. */
export const StartedByCard = z.object({ external_id: z.string(), ...CardPayment.shape });

/** Input to pay by QR. */
export const QrPaymentInput = z.object({ amount: amount(1), provider: QrProvider });

/** Response with the QR code to scan. */
export const StartedByQr = z.object({
  external_id: z.string(),
  provider: QrProvider,
  checkout_url: z.string(),
  qr_content: z.string(),
});

type SaveResponse = (answer: unknown) => Write[];

/** A payment accepted by the gateway, and the response to its payer. */
interface Ordered<A> extends Pick<TariffPayment, 'transaction_id' | 'method' | 'provider'> {
  readonly answer: A;
}

/**
 * Starts a payment by card: the gateway sends a code to the card's phone. 404 without a tariff, 422 on an
 * amount that would exceed the balance's limit, 400 if the gateway rejects the card, 503 if it fails: then no
 * payment is created.
 */
export function payByCard(
  actor: Staff,
  { amount: cents, ...card }: z.output<typeof CardPaymentInput>,
  at: Instant,
  saveResponse: SaveResponse,
): Promise<z.input<typeof StartedByCard>> {
  return start({ actor, amount: cents, at, saveResponse }, async (external_id) => {
    const answer = { external_id, ...(await orderByCard({ external_id, amount: cents }, card)) };
    return { answer, method: 'card', provider: null, transaction_id: answer.transaction_id };
  });
}

/** Starts a payment by QR. 404, 422 and 503 as by card. */
export function payByQr(
  actor: Staff,
  { amount: cents, provider }: z.output<typeof QrPaymentInput>,
  at: Instant,
  saveResponse: SaveResponse,
): Promise<z.input<typeof StartedByQr>> {
  return start({ actor, amount: cents, at, saveResponse }, async (external_id) => {
    const { transaction_id, checkout_url } = await orderByQr({ external_id, amount: cents }, provider);
    const answer = { external_id, provider, checkout_url, qr_content: await qrCodeImage(checkout_url) };
    return { answer, method: 'qr', provider, transaction_id };
  });
}

/**
 * Orders a payment and saves it, and cancels the family's earlier one if it is pending. The gateway comes
 * first: if it fails, nothing changes. An order that could not be saved is never paid, as its payer got no
 * response.
 */
async function start<A>(
  { actor, amount: cents, at, saveResponse }: StartRequest,
  order: (externalId: string) => Promise<Ordered<A>>,
): Promise<A> {
  const { familyId: family_id, companyId: company_id } = actor;
  const tariff = await findTariff(family_id);
  if (!tariff) throw notFound();
  if (tariff.balance + cents > MAX_AMOUNT) throw invalid({ amount: BALANCE_TOO_LARGE });
  const external_id = newExternalId(family_id);
  const { answer, ...ordered } = await order(external_id);
  const payment: TariffPayment = {
    ...ordered,
    external_id,
    family_id,
    company_id,
    ...makerOf(actor),
    amount: cents,
    status: 'pending',
    created_at: at,
    updated_at: at,
  };
  await retryOnContention(async () => {
    const before = await findTariff(family_id);
    if (!before) throw notFound();
    const earlier = before.external_id === null ? undefined : await findPayment(before.external_id);
    await transact([
      tariffReplacement(before, { ...before, external_id }),
      ...paymentInsertion(payment),
      ...(earlier?.status === 'pending' ? [statusWrite(earlier, 'canceled', at)] : []),
      ...saveResponse(answer),
    ]);
  });
  return answer;
}

interface StartRequest {
  readonly actor: Staff;
  readonly amount: number;
  readonly at: Instant;
  readonly saveResponse: SaveResponse;
}
