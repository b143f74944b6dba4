import { setTimeout as pause } from 'node:timers/promises';
import { dynamo } from '#lib/table/client.ts';
import { chooseEngine, type EngineName } from './engine.ts';

/** Error text of DynamoDB Local that no table of AWS's returns. */
const WAITED = /too long waiting for a lock\. This request will succeed in actual DynamoDB/;

const MAX_TRIES = 10;
const REST_MS = 200;

/**
 * Sends a request again that DynamoDB Local gave up, as a machine under load left it no time: more often than
 * the SDK does, and by the same token. Of other errors, and of other engines, it knows nothing.
 */
export function waitForLocks(
  { middlewareStack }: Pick<typeof dynamo, 'middlewareStack'> = dynamo,
  engine: EngineName = chooseEngine().name,
): void {
  if (engine !== 'dynamodb-local') return;
  middlewareStack.add(
    (next) => async (args) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await next(args);
        } catch (error) {
          if (attempt === MAX_TRIES || !(error instanceof Error && WAITED.test(error.message))) throw error;
          await pause(REST_MS * attempt);
        }
      }
    },
    // Once its token is written, and around all that the SDK tries again.
    { step: 'build', priority: 'low', name: 'locks', override: true },
  );
}
