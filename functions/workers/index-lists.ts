import { worker } from '#lib/http/worker.ts';
import { IndexMessage, updateListIndexes } from '#lib/platform/list-indexes.ts';

// Half of the function's time, so that what is under way then has the other half to end.
const TIME_MS = 60_000;

/**
 * Folds what was written into the indexes of lists, and into the sums of reports, for a minute; another
 * message does the rest.
 */
export const handler = worker({
  message: IndexMessage,
  uses: ['queue:index-lists'],
  run: (message) => {
    const until = performance.now() + TIME_MS;
    return updateListIndexes(message, { now: Date.now, isUp: () => performance.now() > until });
  },
});
