import { chargeAll } from '#lib/billing/charge.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Charges all families' due tariffs daily. */
export const handler = worker({
  message: Scheduled,
  every: 'day',
  run: ({ at }) => chargeAll(at),
});
