import { setTimeout as pause } from 'node:timers/promises';
import { SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { findPayment } from '#lib/billing/payment/record.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { type ClientTask, nextStep } from './client-task.ts';
import { posting, type Task, type TaskStep, withoutTrace } from './operation.ts';
import type { RunHistory } from './perform.ts';

const TARIFF = '/company/tariff';

/** Share of the changes of a tariff's balance that are made by hand. */
const BY_HAND = 0.4;

/** Shares of payments that are first reported as failed, or with another amount, which is not credited. */
const FAILED = 0.2;
const WRONG = 0.2;

/** Maximum notifications of a payment. */
const MAX_NOTIFIED = 3;

/** Notifications that were acknowledged before their worker was killed come again within this time. */
const PATIENCE_MS = 240_000;

/** Number of payments read concurrently. */
const SIDE_BY_SIDE = 20;

/** Kind of the notifications that credit a payment. */
const NOTIFIED = 'payment notification';

/**
 * Adjusts the balance of the family's tariff by hand, or pays by QR and notifies of it as the gateway does:
 * at times more than once, or of a failure first. Reads the tariff, which makes the charges due.
 */
export async function paySubscription(errand: ClientTask): Promise<void> {
  const { chance, run, ask } = errand;
  await ask(`GET ${TARIFF}`);
  if (chance.next() < BY_HAND) {
    await run(adjustment(errand));
    return;
  }
  const amount = chance.oneOf([1, 1000, 33_333.33]);
  const json = { amount, provider: 'provider_a' };
  const { answer } = await run(
    withoutTrace('subscription payment', errand, `POST ${TARIFF}/pay-qr`, { json }),
  );
  if (!answer) return;
  const payment = { external_id: answer.text('external_id'), transaction_id: errand.name, amount };
  if (chance.next() < FAILED) await run(failure(nextStep(errand, 'failed'), payment));
  if (chance.next() < WRONG)
    await run(failure(nextStep(errand, 'wrong'), { ...payment, amount: 0.5 }, 'paid'));
  for (let times = chance.between(1, MAX_NOTIFIED); times > 0; times--)
    await run(notification(nextStep(errand, 'paid'), payment));
}

/** Payment as its gateway reports it. */
interface Reported {
  readonly external_id: string;
  readonly transaction_id: string;
  readonly amount: number;
}

/** Returns an adjustment of the balance by an administrator; a negative one corrects an earlier one. */
function adjustment(task: Task): TaskStep {
  const { familyId, administrator: token } = task.scene;
  const json = { amount: task.chance.oneOf([0.01, 5000, -300]) };
  const step = posting('deposit', task, `/admin/billing/tariff/${familyId}/deposit`, json);
  return { ...step, sender: { token } };
}

/** Returns the notification of a paid payment, which is credited once, however often it comes. */
export function notification(task: Pick<Task, 'scene' | 'name'>, payment: Reported): TaskStep {
  return { ...reporting(task, payment, 'paid'), kind: NOTIFIED, trace: payment.external_id };
}

/** Returns a notification that credits nothing: of a failure, or of another amount. */
function failure(task: Task, payment: Reported, status: 'paid' | 'failed' = 'failed'): TaskStep {
  return { ...reporting(task, payment, status), kind: 'void notification', trace: null };
}

function reporting({ scene, name }: Pick<Task, 'scene' | 'name'>, payment: Reported, status: string) {
  const json = { ...payment, status, created_at: '2026-11-21T10:00:00Z' };
  const sender = { headers: { [SIGNATURE]: signatureOf(JSON.stringify(json)) } };
  const request = 'POST /external/billing/payment-notification';
  // A notification may come twice: a gateway repeats it until it is acknowledged.
  return { name, scene, request, json, sender, isKeyed: true };
}

/** Waits until every payment whose notification was acknowledged is credited; returns those that are not. */
export async function waitForCredits({ outcomes }: RunHistory): Promise<string[]> {
  const paid = outcomes.flatMap(({ operation: { kind, trace }, outcome }) =>
    kind === NOTIFIED && outcome === 'done' && trace ? [trace] : [],
  );
  let left = [...new Set(paid)];
  for (const end = performance.now() + PATIENCE_MS; ; await pause(1000)) {
    const found = await mapConcurrent(left, SIDE_BY_SIDE, findPayment);
    left = left.filter((_, index) => found[index]?.status !== 'paid');
    if (left.length === 0 || performance.now() > end) return left;
  }
}
