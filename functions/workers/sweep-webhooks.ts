import { Scheduled, worker } from '#lib/http/worker.ts';
import { sweepDue } from '#lib/webhooks/delivery/schedule.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

/** Enqueues webhooks with due deliveries each minute. */
export const handler = worker({
  message: Scheduled,
  every: 'minute',
  uses: [`queue:${QUEUE}`],
  run: ({ at }) => sweepDue(at),
});
