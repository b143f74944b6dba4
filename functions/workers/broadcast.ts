import { worker } from '#lib/http/worker.ts';
import { BroadcastMessage, deliverInSteps } from '#lib/people/broadcast.ts';

// Half of the function's timeout: work in progress has the other half to finish.
const TIME_MS = 60_000;

/** Creates the notifications of a broadcast for a minute; another message does the rest. */
export const handler = worker({
  message: BroadcastMessage,
  uses: ['queue:broadcast'],
  run: ({ id }) => {
    const until = performance.now() + TIME_MS;
    return deliverInSteps(id, () => performance.now() > until);
  },
});
