import type { Instant } from '#lib/values/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed try the next one comes. Part 4, 4.2, 1. */
const STEPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * Tells how long to wait after so many failed tries; undefined if that was the last one. What the receiver
 * asks for is kept to if it is longer, at most up to the next step.
 */
export function retryDelay(tries: number, asked: number): number | undefined {
  const step = STEPS[tries - 1];
  if (step === undefined) return undefined;
  const max = STEPS[tries] ?? step;
  return Math.max(step, Math.min(asked, max));
}

/** Reads how long a receiver asks to wait, in seconds or until a date; 0 if it does not say. */
export function parseRetryAfter(retryAfter: string | undefined, at: Instant): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * SECOND;
  return Math.max(0, Date.parse(retryAfter) - at) || 0;
}
