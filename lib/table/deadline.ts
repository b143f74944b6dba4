import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '#lib/values/refusal.ts';

/*
 * A call has a deadline, and so has all that it asks of the table.
 *
 * Lambda freezes a function once it has answered, and thaws it with the next call, seconds or hours later: whatever was
 * still under way would go on then, and write what the caller was told had failed. So nothing is asked of the table
 * once the call has been answered, no write begins in the last seconds before that must be, and what is under way at
 * the deadline is cut off. On this rests what counts on the life of a call: an id that was drawn is written within half a
 * minute, or never.
 */

/** What the answer itself takes, at the end of a function's time. */
const ANSWER_MS = 500;

/** What a write takes at the most, as a rule: one that begins later might be cut off when it has been made. */
const LAST_WRITE_MS = 2000;

/** How long an id may be written after it was drawn: a worker lives longer than that. */
const FRESH_MS = 30_000;

interface Deadline {
  /** Milliseconds, monotonic. */
  readonly at: number;
  readonly cut: AbortController;
  /** What nobody waits for but the end of the call. */
  readonly beside: Promise<unknown>[];
  /** When ids were drawn in the call, by counter. */
  readonly drawn: Map<string, { readonly first: number; readonly count: number; readonly at: number }[]>;
}

const current = new AsyncLocalStorage<Deadline>();

/** Runs a call's work in the time that its function has left; the table is closed to what is left of it afterwards. */
export async function withDeadline<T>(remainingMs: number, work: () => Promise<T>): Promise<T> {
  const ms = Math.max(0, remainingMs - ANSWER_MS);
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), ms);
  const deadline: Deadline = { at: performance.now() + ms, cut, beside: [], drawn: new Map() };
  try {
    return await current.run(deadline, work);
  } finally {
    await Promise.allSettled(deadline.beside);
    clearTimeout(timer);
    cut.abort();
  }
}

/** Lets work go on beside the call, which ends after it and does not fail where it does. */
export function besideCall(work: Promise<unknown>): void {
  const outcome = work.catch(() => undefined);
  current.getStore()?.beside.push(outcome);
}

/** Requires that there is time for a request to the table, a write or a read. 503 if not. */
export function requireTime(isWrite: boolean): void {
  const deadline = current.getStore();
  if (!deadline) return;
  const left = deadline.at - performance.now();
  if (deadline.cut.signal.aborted || left < (isWrite ? LAST_WRITE_MS : 0)) throw unavailable();
}

/** What cuts a request off that is under way at the deadline; undefined outside a call. */
export function cutOff(): AbortSignal | undefined {
  return current.getStore()?.cut.signal;
}

/** Notes that ids were drawn from a counter just now. */
export function noteDrawn(counter: string, first: number, count: number): void {
  const drawn = current.getStore()?.drawn;
  drawn?.set(counter, [...(drawn.get(counter) ?? []), { first, count, at: performance.now() }]);
}

/** Requires that an id was drawn less than half a minute ago, on which lists rest. 503 if it is to be drawn again. */
export function requireFresh(counter: string, id: number): void {
  const draws = current.getStore()?.drawn.get(counter) ?? [];
  const draw = draws.find(({ first, count }) => first <= id && id < first + count);
  if (draw && performance.now() - draw.at > FRESH_MS) throw unavailable();
}
