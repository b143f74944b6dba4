import { worker } from '#lib/http/worker.ts';
import { IndexMessage, updateListIndexes } from '#lib/platform/list-indexes.ts';

// Half of the function's timeout: work in progress has the other half to finish.
const TIME_MS = 60_000;

/** Updates list indexes and report rollups for a minute; another message does the rest. */
export const handler = worker({
  message: IndexMessage,
  uses: ['queue:index-lists'],
  run: (message) => {
    const until = performance.now() + TIME_MS;
    return updateListIndexes(message, { now: Date.now, isUp: () => performance.now() > until });
  },
});
