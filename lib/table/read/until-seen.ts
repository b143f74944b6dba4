import { NotYet } from '#lib/table/journal/contention.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { type ApiError, serviceUnavailable } from '#lib/values/api-error.ts';

const ATTEMPTS = 25;

/**
 * Repeats work that may be done twice, as what only reads may, until it sees what must be there. 503 after
 * twenty-five attempts.
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

/** Makes the refusal of work that never saw what must be there: a defect, most likely, and warned of. */
export function neverSeen(error: NotYet): ApiError {
  process.emitWarning(error);
  return serviceUnavailable();
}
