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

/** Tells whether the table was unreachable, silent or busy: then the same may succeed later. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The SDK marks every failure of a server, whatever its name is.
  if ('$fault' in error && error.$fault === 'server') return true;
  return BUSY.has(error.name) || ('code' in error && UNREACHED.has(String(error.code)));
}

/**
 * Finds the refusal in an error: itself, or 503 if the table was busy, or what was read went on changing;
 * undefined for a defect.
 */
export function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return isTransientError(error) || error instanceof Overtaken ? serviceUnavailable() : undefined;
}

/**
 * Waits a random time, longer with every attempt, at most half a second. 503 if no time is left to try again.
 */
export async function backOff(attempt: number): Promise<void> {
  await pause(Math.random() * Math.min(2 ** attempt * 10, 500));
  requireTime(true);
}
