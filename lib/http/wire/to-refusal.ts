import { isBusy } from '#lib/table/busy.ts';
import { Refusal, unavailable } from '#lib/values/refusal.ts';

/** Makes the refusal for an error: a refusal as it is, 503 if the table is busy, 500 for a defect. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isBusy(error)) return unavailable();
  return new Refusal(500, { key: 'http.internal' });
}
