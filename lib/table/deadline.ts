import { serviceUnavailable } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { type Deadline, requestContext, runInContext } from './request-context.ts';
import { type IdDraw, returnUnusedIds } from './unused-ids.ts';

/*
 * A call's deadline, which is also that of all its requests to the table.
 *
 * Lambda freezes a function once it has answered, and thaws it with the next call, seconds or hours later.
 * Work still under way would go on then, and write what the caller was told had failed. So nothing is asked
 * of the table after the answer, no write begins in the last seconds before it, and what is under way at the
 * deadline is cut off. The life of a call rests on this: an id that was drawn is written within half a
 * minute, or never.
 */

/** Time for the answer itself, at the end of a function's time. */
const ANSWER_MS = 500;

/** As long as a write takes, as a rule at most: one that begins later might be cut off after it was made. */
const LAST_WRITE_MS = 2000;

/** How long an id may be written after it was drawn; a worker may live longer than that. */
const FRESH_MS = 30_000;

/** Given with each cut: one would be made for it otherwise, with its stack. */
const OVER = new DOMException('The call is over', 'AbortError');

/**
 * Runs a call's work in the time that its function has left; afterwards the table is closed to what is still
 * under way.
 */
export async function withDeadline<T>(remainingMs: number, work: () => Promise<T>): Promise<T> {
  const ms = Math.max(0, remainingMs - ANSWER_MS);
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(OVER), ms);
  const deadline: Deadline = { at: performance.now() + ms, cut, beside: [], drawn: [], hasWritten: false };
  try {
    return await runInContext({ deadline }, work);
  } finally {
    await Promise.allSettled(deadline.beside);
    clearTimeout(timer);
    cut.abort(OVER);
    if (!deadline.hasWritten) returnUnusedIds(deadline.drawn);
  }
}

/** Runs work in the background. The call awaits it before it ends, and ignores its failure. */
export function waitUntil<T>(work: Promise<T>): Promise<T> {
  requestContext().deadline?.beside.push(work);
  return inBackground(work);
}

/** Requires time for a request to the table, a write or a read. 503 if there is none. */
export function requireTime(isWrite: boolean): void {
  const { deadline } = requestContext();
  if (!deadline) return;
  const left = deadline.at - performance.now();
  if (deadline.cut.signal.aborted || left < (isWrite ? LAST_WRITE_MS : 0)) throw serviceUnavailable();
}

/** Gives the signal that cuts a request off at the deadline; undefined outside a call. */
export function requestAbortSignal(): AbortSignal | undefined {
  return requestContext().deadline?.cut.signal;
}

/** Notes that the call has drawn ids. */
export function trackDrawnIds(draw: IdDraw): IdDraw {
  requestContext().deadline?.drawn.push(draw);
  return draw;
}

/** Notes that the call tries to write something: its ids may be in it, however it ends. */
export function trackWrite(): void {
  const { deadline } = requestContext();
  if (deadline) deadline.hasWritten = true;
}

/**
 * Requires that an id was drawn less than half a minute ago; lists rest on it. 503 if it must be drawn again.
 */
export function requireFresh(counter: string, id: number): void {
  const draw = requestContext().deadline?.drawn.find(
    (each) => each.counter === counter && each.first <= id && id < each.first + each.count,
  );
  if (draw && performance.now() - draw.at > FRESH_MS) throw serviceUnavailable();
}
