import type { Instant } from '#lib/values/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the next attempt, by failed attempts. Part 4, 4.2, 1. */
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
 * Returns the delay after this many failed attempts; undefined after the last one. A longer delay requested
 * by the receiver is honoured, up to the next step.
 */
export function retryDelay(tries: number, requestedMs: number): number | undefined {
  const step = STEPS[tries - 1];
  if (step === undefined) return undefined;
  const max = STEPS[tries] ?? step;
  return Math.max(step, Math.min(requestedMs, max));
}

/** Parses `Retry-After`, in seconds or as a date, into milliseconds; 0 if absent or invalid. */
export function parseRetryAfter(retryAfter: string | undefined, at: Instant): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * SECOND;
  return Math.max(0, Date.parse(retryAfter) - at) || 0;
}
