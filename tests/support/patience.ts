/**
 * Timeout of tests for asynchronous results: a message, a consumed change, an exit of a process. It only ends
 * hung tests, so it is as long on an idle machine as on a busy one.
 */
export const MAX_WAIT_MS = 300_000;
