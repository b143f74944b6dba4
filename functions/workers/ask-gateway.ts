import { pollPendingPayments } from '#lib/billing/payment/end.ts';
import { logOutcome } from '#lib/http/payment-log.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Polls the gateway hourly for payments whose end it has not reported. */
export const handler = worker({
  message: Scheduled,
  every: 'hour',
  uses: ['gateway'],
  run: async ({ at }) => {
    for (const { external_id, outcome } of await pollPendingPayments(at)) logOutcome(external_id, outcome);
  },
});
