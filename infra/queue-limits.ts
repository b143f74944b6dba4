/** How long a worker may take over a batch, in seconds. */
export const WORK_S = 120;

/**
 * How long a message that was handed out is hidden: six times as long, as Lambda's guide advises, so that a
 * batch that was throttled isn't handed out twice. What has failed comes sooner (`lib/queues/postpone.ts`).
 */
export const HIDDEN_S = 6 * WORK_S;

/** How often a message is tried before it goes to the dead letters. */
export const MAX_TRIES = 5;
