import { chargeAll } from '#lib/billing/charge.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Charges every family what is due, each day. */
export const handler = worker({
  message: Scheduled,
  every: 'day',
  run: ({ at }) => chargeAll(at),
});
