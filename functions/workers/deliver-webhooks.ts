import { worker } from '#lib/http/worker.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { DeliverMessage, deliverTargetOf, QUEUE } from '#lib/webhooks/message.ts';

/** Sends webhooks what they are to tell, each for a turn; it mostly waits, so many have theirs at once. */
export const handler = worker({
  message: DeliverMessage,
  uses: [`queue:${QUEUE}`, 'receivers'],
  reserved: 10,
  batch: 50,
  run: (message, now) => dispatchDue(deliverTargetOf(message), now),
});
