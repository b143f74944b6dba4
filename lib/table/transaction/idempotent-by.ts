import { ApiError } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { retryOnContention } from './transact.ts';

/** Steps of a creation that is idempotent by a business key. */
interface IdempotentSteps<K, F, R> {
  /**
   * Finds what the key has become. `isSettled` waits for a transaction in progress on the key: after an
   * error, a concurrent call with the same key may have been faster.
   */
  readonly find: (isSettled: boolean) => Promise<K>;
  /** Returns the result of an earlier call; undefined if there was none. */
  readonly replay: (known: K) => Promise<R> | R | undefined;
  readonly readFacts: () => Promise<F>;
  readonly make: (facts: F, known: K) => Promise<R>;
  /** Returns the error to throw, after recording it if need be; the error itself by default. */
  readonly refuse?: (refusal: ApiError, known: K) => Promise<ApiError>;
}

/**
 * Creates something once per business key, retrying on contention. An earlier result is returned even if the
 * facts would now prevent it, so errors of their read, which runs in parallel, count only without one.
 */
export function idempotentBy<K, F, R>(steps: IdempotentSteps<K, F, R>): Promise<R> {
  const { find, replay, readFacts, make, refuse } = steps;
  return retryOnContention(async () => {
    const reading = inBackground(readFacts());
    const [known] = await Promise.all([find(false), Promise.allSettled([reading])]);
    const earlier = await replay(known);
    if (earlier !== undefined) return earlier;
    try {
      return await make(await reading, known);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A concurrent call with the same key may have taken the goods that are now missing.
      const settled = await find(true);
      const faster = await replay(settled);
      if (faster !== undefined) return faster;
      throw refuse ? await refuse(error, settled) : error;
    }
  });
}
