import * as z from 'zod';
import { charge } from '#lib/billing/charge.ts';
import { changeWritesOf } from '#lib/billing/entry.ts';
import { fetchPaymentStatus } from '#lib/billing/gateway.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { walk } from '#lib/table/read/walk.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { lineOfText } from '#lib/values/fields.ts';
import { amount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { familyIn, findPayment, PENDING_PAYMENTS, paymentEnd } from './record.ts';

/** Worker that credits payments. */
const CREDITING = 'credit-payments';

/** Notification of the gateway that a payment ended. Contract 9.56. */
export const PaymentNotification = z.object({
  external_id: lineOfText(255),
  transaction_id: lineOfText(255),
  amount: amount(0),
  status: enumeration('tariff_payment', ['paid', 'failed']),
  created_at: lineOfText(255),
});

/** Message in the worker's queue; the amount is in minor units. */
export const EndedPayment = z.object({
  external_id: z.string(),
  /** Absent if the status was polled by our own payment id. */
  transaction_id: z.string().optional(),
  amount: z.int(),
  status: z.enum(['paid', 'failed']),
  at: z.number(),
});

type EndedPayment = z.output<typeof EndedPayment>;

/** Outcome of a notification. */
export type Outcome = 'credited' | 'other transaction' | 'failed' | 'repeated' | 'unknown' | 'other amount';

/** Enqueues a notification for the worker. */
export async function receive(
  notification: z.output<typeof PaymentNotification>,
  at: Instant,
): Promise<void> {
  const { external_id, transaction_id, amount: cents, status } = notification;
  await enqueue(CREDITING, { external_id, transaction_id, amount: cents, status, at });
}

/**
 * Ends a payment as notified by the gateway. A paid one is credited exactly once, however often and in
 * whatever order notifications arrive, even if it was canceled or reported as failed before. A different
 * amount is not credited. A different transaction id is only logged, as the money has arrived. Contract 9.56.
 * Two round trips.
 */
export function endPayment(ended: EndedPayment): Promise<Outcome> {
  return retryOnContention(async () => {
    const { external_id, transaction_id, status, amount: cents, at } = ended;
    const familyId = familyIn(external_id);
    if (familyId === undefined) return 'unknown';
    const [payment, charged] = await Promise.all([findPayment(external_id), charge(familyId, at)]);
    if (!payment || !charged) return 'unknown';
    if (payment.status === 'paid' || payment.status === status) return 'repeated';
    if (status === 'failed') {
      await transact(paymentEnd(payment, status, at));
      return 'failed';
    }
    if (payment.amount !== cents) return 'other amount';
    const change = { type: 'payment', amount: cents, day: dayOf(at), entry: { external_id } } as const;
    await transact([...changeWritesOf(charged.tariff, change, at), ...paymentEnd(payment, status, at)]);
    return [undefined, payment.transaction_id].includes(transaction_id) ? 'credited' : 'other transaction';
  });
}

const HOUR_MS = 3_600_000;

/** Longest time the gateway accepts a payment: one that has not ended by then never will. */
const MAX_WAITED_MS = 72 * HOUR_MS;

const STEP = 100;

const Watched = z.object({ external_id: z.string(), created_at: z.number() });

const WireAmount = amount(0);

/** A polled payment with its outcome. */
export interface PolledPayment {
  readonly external_id: string;
  readonly outcome: Outcome;
}

/**
 * Polls the gateway for payments that have not ended after an hour, also those canceled for newer ones: a
 * notification may have been lost. Part 3, "Tariff payment". 503 if the gateway fails.
 */
export async function pollPendingPayments(at: Instant): Promise<PolledPayment[]> {
  const polled: PolledPayment[] = [];
  for await (const items of walk(PENDING_PAYMENTS, STEP)) {
    for (const { external_id, created_at } of items.map((item) => Watched.parse(item))) {
      if (created_at > at - HOUR_MS) return polled;
      const outcome = await pollPayment(external_id, at, at - created_at > MAX_WAITED_MS);
      if (outcome) polled.push({ external_id, outcome });
    }
  }
  return polled;
}

/** Polls the gateway for a payment and ends it; undefined if it is still pending. */
async function pollPayment(external_id: string, at: Instant, isOver: boolean): Promise<Outcome | undefined> {
  const found = await fetchPaymentStatus(external_id);
  if (found?.status === 'pending' && !isOver) return undefined;
  const cents = WireAmount.parse(found?.amount ?? 0);
  return endPayment({ external_id, amount: cents, status: found?.status === 'paid' ? 'paid' : 'failed', at });
}
