import { type Limit, takeAndSpend } from '#lib/access/throttle.ts';
import type { Step } from './call-context.ts';

/** Counts the call against a user's limit, whatever its outcome, unless the operation counts. 429 beyond. */
export function limits(limit: Limit): Step {
  return {
    before: async ({ event, context }) => {
      const { actor } = context.call;
      if (limit.isCountedByOperation || !actor) return;
      await takeAndSpend(limit, String(actor.id), event.requestContext.timeEpoch);
    },
  };
}
