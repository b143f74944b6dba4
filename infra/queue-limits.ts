/** Longest run of a worker on a batch, in seconds. */
export const WORK_S = 120;

/**
 * Visibility timeout of a message: six times the run, as Lambda's guide advises, so that a throttled batch
 * isn't delivered twice. Failed messages return sooner (`lib/queues/postpone.ts`).
 */
export const HIDDEN_S = 6 * WORK_S;

/** Attempts of a message before it goes to the dead-letter queue. */
export const MAX_TRIES = 5;
