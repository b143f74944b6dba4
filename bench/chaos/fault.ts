import { setTimeout as pause } from 'node:timers/promises';
import type { WireCall } from './table-call.ts';

/** An answer of the table or of the queues. */
export interface TableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One call under way, as a fault may treat it. */
export interface Passage {
  readonly call: WireCall;
  /** Asks the table something else, with the caller's headers. */
  ask(operation: string, input: object): Promise<TableAnswer>;
  /** Hands the call to the table; it may be done many times. */
  forward(): Promise<TableAnswer>;
  /** Gives the caller an answer. */
  answer(answer: TableAnswer): void;
  /** Cuts the caller off: it sees a connection that was reset. */
  cut(): void;
  /** Waits until the caller has given up, and closes the connection. */
  gone(): Promise<void>;
  readonly signal: AbortSignal;
}

/** A fate of a call. It ends when nothing of the call is left to be done. */
export type Fault = (passage: Passage) => Promise<void>;

/** Milliseconds, or an event to wait for. */
export type Wait = number | Promise<unknown>;

/** Lets the call through, later; the caller waits for it. */
export function delay(wait: Wait): Fault {
  return async (passage) => {
    await waitFor(wait, passage.signal);
    passage.answer(await passage.forward());
  };
}

/** Drops the call before the table; the caller's connection is reset. */
export const dropRequest: Fault = async ({ cut }) => cut();

/** Drops the answer: the table does it, the caller's connection is reset and it never hears of it. */
export const dropAnswer: Fault = async ({ forward, cut }) => {
  await forward();
  cut();
};

/** Leaves the caller without any answer, done or not: the connection stays open until it is given up. */
export function stayMute({ isDone = false } = {}): Fault {
  return async ({ forward, gone, signal }) => {
    if (isDone) await forward();
    await waitFor(gone(), signal);
  };
}

/** Resets the caller's connection at once; the table does it later, maybe after the caller's next attempt. */
export function arriveOffline(wait: Wait): Fault {
  return async ({ forward, cut, signal }) => {
    cut();
    await waitFor(wait, signal);
    await forward();
  };
}

/** Sends the table the call twice at the same time; the caller has the first answer. */
export const duplicate: Fault = async ({ forward, answer }) => {
  const both = [forward(), forward()];
  answer(await Promise.race(both));
  await Promise.all(both);
};

/** Lets the call through, and sends it to the table once more later. */
export function repeatLater(wait: Wait): Fault {
  return async ({ forward, answer, signal }) => {
    answer(await forward());
    await waitFor(wait, signal);
    await forward();
  };
}

/**
 * Answers the caller with an error: a 500, which by AWS may have been done all the same, or with a name of
 * its own (`ProvisionedThroughputExceededException`) a 400.
 */
export function answerError({ isDone = false, name = 'InternalServerError' } = {}): Fault {
  return async ({ forward, answer }) => {
    if (isDone) await forward();
    answer(errorAnswer(name));
  };
}

/** Makes an answer of an error. */
export function errorAnswer(name: string, more: object = {}): TableAnswer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return {
    status: name === 'InternalServerError' ? 500 : 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify({ __type: type, message: 'A fault that was asked for', ...more })),
  };
}

/** Waits; throws if the proxy is stopped meanwhile. */
async function waitFor(wait: Wait, signal: AbortSignal): Promise<void> {
  if (typeof wait === 'number') return pause(wait, undefined, { signal });
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop);
  await Promise.race([wait, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
}
