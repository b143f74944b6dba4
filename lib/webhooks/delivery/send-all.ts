import { inBackground } from '#lib/values/concurrency.ts';
import { disable } from '#lib/webhooks/disable.ts';
import { type Health, healthAfter } from '#lib/webhooks/dispatch-state.ts';
import { attemptDelivery, type Sender } from './attempt.ts';
import type { Pointer } from './record.ts';
import type { AttemptOutcome } from './send.ts';

/**
 * Concurrent requests to a receiver. After this many failures in a row, and after a slow response, one at a
 * time. Part 4, 4.2, 3.
 */
const AT_ONCE = 5;
const FAILURES = 3;

/** A webhook is disabled once its receiver has failed for this long and this often. Part 4, 4.2, 2. */
const FIVE_DAYS_MS = 5 * 86_400_000;
const FAILED_TRIES = 10;

/** Returns whether a receiver is throttled: too many failures in a row, or a slow latest response. */
export function isSpared({ failures, is_slow }: Health): boolean {
  return is_slow || failures >= FAILURES;
}

/** Outcome of sending due deliveries. */
interface Sent {
  readonly health: Health;
  /** Errors of ours that prevented attempts, not the receiver's. The deliveries stay pending. */
  readonly defects: readonly unknown[];
}

/**
 * Sends due deliveries concurrently; ends early when the turn is over or the receiver is throttled. An
 * unreadable record blocks no other delivery: its error is returned at the end.
 */
export async function sendAll(
  sender: Sender,
  due: readonly Pointer[],
  before: Health,
  { until, slowMs }: { readonly until: number; readonly slowMs: number },
): Promise<Sent> {
  let health = before;
  let isOver = false;
  const defects: unknown[] = [];
  const running = new Set<Promise<void>>();
  const trySome = async (pointer: Pointer) => {
    const outcome = await attemptDelivery(sender, pointer);
    if (!outcome) return;
    health = healthAfter(health, outcome, slowMs, sender.now());
    if (await disableIfHopeless(sender, health, outcome)) isOver = true;
    if (isSpared(health)) isOver = true;
  };
  const noteDefect = (error: unknown) => {
    defects.push(error);
    if (defects.length >= AT_ONCE) isOver = true;
  };
  for (const pointer of due) {
    while (running.size >= (isSpared(health) ? 1 : AT_ONCE)) await Promise.race(running);
    if (isOver || performance.now() > until) break;
    const work = inBackground(
      trySome(pointer)
        .catch(noteDefect)
        .finally(() => running.delete(work)),
    );
    running.add(work);
  }
  await Promise.all(running);
  return { health, defects };
}

/**
 * Disables a webhook whose receiver is gone or has failed for too long, or whose secret can't be decrypted.
 */
async function disableIfHopeless(
  { pending, now }: Sender,
  { failing_since, failed_tries }: Health,
  { isGone, isMute }: AttemptOutcome,
): Promise<boolean> {
  const isFailingLong =
    failing_since != null && failing_since <= now() - FIVE_DAYS_MS && failed_tries >= FAILED_TRIES;
  if (!isGone && !isMute && !isFailingLong) return false;
  const reason = isGone ? 'receiver' : 'failures';
  await disable(pending, { reason, failingSince: failing_since ?? null, isMute }, now());
  return true;
}
