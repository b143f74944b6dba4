import { isBusy } from '#lib/table/busy.ts';
import { Refusal, unavailable } from '#lib/values/refusal.ts';

/** What the caller is told of an error: a refusal as it is, 503 for a table that is busy, 500 for a defect. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isBusy(error)) return unavailable();
  return new Refusal(500, { key: 'http.internal' });
}
