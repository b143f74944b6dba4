import { serviceUnavailable } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { type Deadline, requestContext, runInContext } from './request-context.ts';
import { type IdDraw, returnUnusedIds } from './unused-ids.ts';

/*
 * A call's deadline, which applies to all its requests to the table.
 *
 * Lambda freezes a function after its response, and thaws it with the next call, seconds or hours later.
 * Unfinished work would resume then, and write changes that were reported to the caller as failed. So the
 * table gets no requests after the response, no write begins in the last seconds before it, and requests in
 * progress are aborted at the deadline. List indexes rely on this: a drawn id is written within half a
 * minute, or never.
 */

/** Time reserved for sending the response, at the end of the function's time. */
const ANSWER_MS = 500;

/** Upper bound of a write's usual latency: a later one might be aborted after it was executed. */
const LAST_WRITE_MS = 2000;

/**
 * Usual time of a large transaction from its first item to its end, without its last write. A transaction
 * that the deadline cuts off leaves its items locked for a lease; calls that wait for them reach their own
 * deadlines, the oldest first, and none would ever get through.
 */
const TO_THE_END_MS = 4000;

/** Maximum age of an id when it is written; a worker may run longer than that. */
const FRESH_MS = 30_000;

/** Shared reason for all aborts: each would otherwise create its own error with a stack. */
const OVER = new DOMException('The call is over', 'AbortError');

/**
 * Runs a call's work in the function's remaining time; afterwards the table rejects requests of unfinished
 * work.
 */
export async function withDeadline<T>(remainingMs: number, work: () => Promise<T>): Promise<T> {
  const ms = Math.max(0, remainingMs - ANSWER_MS);
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(OVER), ms);
  const deadline: Deadline = {
    at: performance.now() + ms,
    cut,
    background: [],
    drawn: [],
    hasWritten: false,
  };
  try {
    return await runInContext({ deadline }, work);
  } finally {
    await Promise.allSettled(deadline.background);
    clearTimeout(timer);
    cut.abort(OVER);
    if (!deadline.hasWritten) returnUnusedIds(deadline.drawn);
  }
}

/** Runs work in the background. The call awaits it before it ends, and ignores its failure. */
export function waitUntil<T>(work: Promise<T>): Promise<T> {
  requestContext().deadline?.background.push(work);
  return inBackground(work);
}

/** Requires enough time for a request to the table, a write or a read. 503 if it is too late. */
export function requireTime(isWrite: boolean): void {
  requireMs(isWrite ? LAST_WRITE_MS : 0);
}

/** Requires enough time to start and finish a large transaction. 503 otherwise. */
export function requireTimeToTheEnd(): void {
  requireMs(LAST_WRITE_MS + TO_THE_END_MS);
}

function requireMs(least: number): void {
  const { deadline } = requestContext();
  if (!deadline) return;
  if (deadline.cut.signal.aborted || deadline.at - performance.now() < least) throw serviceUnavailable();
}

/** Returns the signal that aborts requests at the deadline; undefined outside a call. */
export function requestAbortSignal(): AbortSignal | undefined {
  return requestContext().deadline?.cut.signal;
}

/** Records the ids that the call has drawn. */
export function trackDrawnIds(draw: IdDraw): IdDraw {
  requestContext().deadline?.drawn.push(draw);
  return draw;
}

/** Records that the call has attempted a write: whether or not it succeeded, it may contain the drawn ids. */
export function trackWrite(): void {
  const { deadline } = requestContext();
  if (deadline) deadline.hasWritten = true;
}

/**
 * Requires that an id was drawn less than half a minute ago, which list indexes rely on. 503 otherwise: a
 * retry draws another id.
 */
export function requireFresh(counter: string, id: number): void {
  const draw = requestContext().deadline?.drawn.find(
    (each) => each.counter === counter && each.first <= id && id < each.first + each.count,
  );
  if (draw && performance.now() - draw.at > FRESH_MS) throw serviceUnavailable();
}
