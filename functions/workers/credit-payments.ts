import { EndedPayment, endPayment } from '#lib/billing/payment/end.ts';
import { logOutcome } from '#lib/http/payment-log.ts';
import { worker } from '#lib/http/worker.ts';

/** Credits payments whose end the gateway has reported. */
export const handler = worker({
  message: EndedPayment,
  run: async (ended) => logOutcome(ended.external_id, await endPayment(ended)),
});
