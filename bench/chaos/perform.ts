import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import { type Reply, replyOf, sendTo } from '#bin/cli/person.ts';
import type { ChaosRun, FleetSlot } from './fleet.ts';
import { credentialsOf, type TaskStep } from './operation.ts';

/**
 * Outcome of an operation as reported to a client. `done`: 2xx. `refused`: 4xx, and no attempt before it
 * ended otherwise. `unknown`: a 5xx, a broken connection or no response in time, at least once, and never
 * 2xx.
 */
export interface StepOutcome {
  readonly operation: TaskStep;
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** Statuses of its last attempt, or of both if it was sent twice; undefined without a response. */
  readonly statuses: readonly (number | undefined)[];
  /** Ids in its response. */
  readonly ids: readonly number[];
  /** Its response, if acknowledged. */
  readonly answer?: Reply | undefined;
  /** True if it was sent with its name as `Idempotency-Key`. */
  readonly hasKey: boolean;
}

/** All operations begun and their reported outcomes, and impossible responses of lists and reports. */
export interface RunHistory {
  readonly begun: TaskStep[];
  readonly outcomes: StepOutcome[];
  readonly wrong: string[];
  /** Latest sums of reports that only grow, by their subject. */
  readonly floors: Map<string, number>;
}

/** Timeout of a client: API Gateway's, but at times shorter for a client that will repeat the call. */
const PATIENCE_MS = 30_000;
export const IMPATIENCE_MS = [3_000, 6_000, PATIENCE_MS];

/** Many more than needed: at the end there are no faults. */
const MAX_ATTEMPTS = 50;

/** Share of calls with a key that are sent to two processes at once. */
const NERVOUS = 0.1;

/** Calls any started process; undefined if there was no response. */
export async function attempt(
  { places, log, chance }: Caller,
  step: Pick<TaskStep, 'name' | 'request' | 'json' | 'scene' | 'sender'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply | undefined> {
  const { name, request, json } = step;
  const started = places.filter(({ address }) => address);
  if (started.length === 0) return undefined;
  const { address = '', name: process } = chance.oneOf(started);
  const mayRepeat = 'idempotency-key' in headers;
  const noted = { operation: name, process, request };
  log.note('call', noted);
  try {
    const signal = AbortSignal.timeout(mayRepeat ? chance.oneOf(IMPATIENCE_MS) : PATIENCE_MS);
    const sent = { ...credentialsOf(step, headers), json, signal };
    const reply = await replyOf(await sendTo(address, request, sent));
    const { status, body } = reply;
    log.note(`answer ${status}`, { ...noted, id: newIdIn(reply), ...(status >= 400 && { body }) });
    return reply;
  } catch (error) {
    log.note('no answer', { ...noted, error: String(error) });
    return undefined;
  }
}

/** Caller of operations. */
export interface Caller extends Pick<ChaosRun, 'log'> {
  readonly places: readonly Pick<FleetSlot, 'name' | 'address'>[];
  readonly chance: SeededRandom;
}

/** Performs an operation: with a key, retries it at any process until it is answered; without one, once. */
export async function perform(caller: Caller, operation: TaskStep, hasKey: boolean): Promise<StepOutcome> {
  const headers = headersOf(operation, hasKey);
  const isKept = 'idempotency-key' in headers;
  let isUnknown = false;
  for (let number = 1; ; number++) {
    // An impatient client sends the call twice at once.
    const copies = hasKey && caller.chance.next() < NERVOUS ? 2 : 1;
    const attempts = await Promise.all(
      Array.from({ length: copies }, () => attempt(caller, operation, headers)),
    );
    const done = attempts.filter((reply) => reply !== undefined).filter(({ status }) => status < 300);
    const ids = done.flatMap((reply) => newIdIn(reply) ?? []);
    const statuses = attempts.map((reply) => reply?.status);
    const sent = { operation, statuses, ids, answer: done[0], hasKey: isKept };
    if (done.length > 0) return { ...sent, outcome: 'done' };
    if (statuses.every((status) => isFinal(status, hasKey)))
      return { ...sent, outcome: isUnknown ? 'unknown' : 'refused' };
    isUnknown = true;
    if (!hasKey || number === MAX_ATTEMPTS) return { ...sent, outcome: 'unknown' };
    await pause(caller.chance.between(50, 500));
  }
}

/** Returns the headers that identify an operation when it is sent again. */
export function headersOf({ name, isKeyed }: TaskStep, hasKey: boolean): Record<string, string> {
  return hasKey && isKeyed === undefined ? { 'idempotency-key': name } : {};
}

/** Returns whether a status is final. With a key a 409 may mean that the same call is running elsewhere. */
function isFinal(status: number | undefined, hasKey: boolean): boolean {
  return status !== undefined && status < 500 && !(hasKey && status === 409);
}

const Made = z.object({ id: z.int() });

/** Reads the id in a response. */
function newIdIn({ body }: Reply): number | undefined {
  return Made.safeParse(body).data?.id;
}
