import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, serviceUnavailable } from '#lib/values/api-error.ts';
import { requireTime } from './deadline.ts';
import { Overtaken } from './overtaken.ts';

const BUSY = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const UNREACHED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Returns true if the table was unreachable, unresponsive or throttled: a retry may succeed. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The SDK marks every server error, by any name.
  if ('$fault' in error && error.$fault === 'server') return true;
  return BUSY.has(error.name) || ('code' in error && UNREACHED.has(String(error.code)));
}

/**
 * Returns the API error for an error: itself, or 503 if the table was unavailable or contention did not end;
 * undefined for a defect.
 */
export function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return isTransientError(error) || error instanceof Overtaken ? serviceUnavailable() : undefined;
}

/**
 * Waits a random time, longer with every attempt, at most half a second. 503 if the deadline leaves no time
 * for a retry.
 */
export async function backOff(attempt: number): Promise<void> {
  await pause(Math.random() * Math.min(2 ** attempt * 10, 500));
  requireTime(true);
}
