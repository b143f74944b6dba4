import { pollPendingPayments } from '#lib/billing/payment/end.ts';
import { logOutcome } from '#lib/http/payment-log.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Asks the gateway, each hour, for payments of whose end it has not told. */
export const handler = worker({
  message: Scheduled,
  every: 'hour',
  uses: ['gateway'],
  run: async ({ at }) => {
    for (const { external_id, outcome } of await pollPendingPayments(at)) logOutcome(external_id, outcome);
  },
});
