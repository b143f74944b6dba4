import { NotYet } from '#lib/table/journal/contention.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { type ApiError, serviceUnavailable } from '#lib/values/api-error.ts';

const ATTEMPTS = 25;

/**
 * Retries idempotent work, such as reads, until the items that must exist are visible. 503 after twenty-five
 * attempts.
 */
export async function untilSeen<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      if (attempt === ATTEMPTS) throw neverSeen(error);
      await backOff(attempt);
    }
  }
}

/** Returns the error for items that never became visible, most likely a defect; logs a warning. */
export function neverSeen(error: NotYet): ApiError {
  process.emitWarning(error);
  return serviceUnavailable();
}
