import { worker } from '#lib/http/worker.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { DeliverMessage, deliverTargetOf, QUEUE } from '#lib/webhooks/message.ts';

/** Dispatches due webhook deliveries. I/O-bound, so one invocation handles a batch concurrently. */
export const handler = worker({
  message: DeliverMessage,
  uses: [`queue:${QUEUE}`, 'receivers'],
  reserved: 10,
  batch: 50,
  run: (message, now) => dispatchDue(deliverTargetOf(message), now),
});
