/**
 * How long tests wait for what comes by itself: a message, a change that is followed, an end of a process. It
 * only ends what hangs, so it is as long on an idle machine as on a busy one.
 */
export const MAX_WAIT_MS = 300_000;
