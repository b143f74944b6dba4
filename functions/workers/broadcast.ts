import { worker } from '#lib/http/worker.ts';
import { BroadcastMessage, deliverInSteps } from '#lib/people/broadcast.ts';

// Half of the function's time, so that what is under way then has the other half to end.
const TIME_MS = 60_000;

/** Gives a broadcast's recipients their notifications, for a minute; another message does the rest. */
export const handler = worker({
  message: BroadcastMessage,
  uses: ['queue:broadcast'],
  run: ({ id }) => {
    const until = performance.now() + TIME_MS;
    return deliverInSteps(id, () => performance.now() > until);
  },
});
