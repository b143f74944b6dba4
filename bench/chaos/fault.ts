import { setTimeout as pause } from 'node:timers/promises';
import type { WireCall } from './table-call.ts';

/** Response of the table or of the queues. */
export interface TableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Call in progress, as passed to a fault. */
export interface Passage {
  readonly call: WireCall;
  /** Sends the table another request with the caller's headers. */
  ask(operation: string, input: object): Promise<TableAnswer>;
  /** Forwards the call to the table; may be called several times. */
  forward(): Promise<TableAnswer>;
  /** Sends the caller a response. */
  answer(answer: TableAnswer): void;
  /** Resets the caller's connection. */
  cut(): void;
  /** Waits until the caller has given up, and closes the connection. */
  gone(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Treatment of a call. Resolves when nothing of the call remains to be done. */
export type Fault = (passage: Passage) => Promise<void>;

/** Milliseconds, or an event to wait for. */
export type Wait = number | Promise<unknown>;

/** Forwards the call with a delay; the caller waits for it. */
export function delay(wait: Wait): Fault {
  return async (passage) => {
    await waitFor(wait, passage.signal);
    passage.answer(await passage.forward());
  };
}

/** Drops the call before the table; the caller's connection is reset. */
export const dropRequest: Fault = async ({ cut }) => cut();

/** Drops the response: the table executes the call, the caller's connection is reset. */
export const dropAnswer: Fault = async ({ forward, cut }) => {
  await forward();
  cut();
};

/**
 * Leaves the caller without a response, executed or not: the connection stays open until the caller gives up.
 */
export function stayMute({ isDone = false } = {}): Fault {
  return async ({ forward, gone, signal }) => {
    if (isDone) await forward();
    await waitFor(gone(), signal);
  };
}

/**
 * Resets the caller's connection at once; the table executes the call later, maybe after the caller's retry.
 */
export function arriveOffline(wait: Wait): Fault {
  return async ({ forward, cut, signal }) => {
    cut();
    await waitFor(wait, signal);
    await forward();
  };
}

/** Sends the call to the table twice at once; the caller gets the first response. */
export const duplicate: Fault = async ({ forward, answer }) => {
  const both = [forward(), forward()];
  answer(await Promise.race(both));
  await Promise.all(both);
};

/** Forwards the call, and sends it to the table once more later. */
export function repeatLater(wait: Wait): Fault {
  return async ({ forward, answer, signal }) => {
    answer(await forward());
    await waitFor(wait, signal);
    await forward();
  };
}

/**
 * Returns an error to the caller: a 500, which by AWS may have been executed all the same, or with a name of
 * its own (`ProvisionedThroughputExceededException`) a 400.
 */
export function answerError({ isDone = false, name = 'InternalServerError' } = {}): Fault {
  return async ({ forward, answer }) => {
    if (isDone) await forward();
    answer(errorAnswer(name));
  };
}

/** Builds an error response. */
export function errorAnswer(name: string, more: object = {}): TableAnswer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return {
    status: name === 'InternalServerError' ? 500 : 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify({ __type: type, message: 'A fault that was asked for', ...more })),
  };
}

/** Waits; throws if the proxy is stopped during the wait. */
async function waitFor(wait: Wait, signal: AbortSignal): Promise<void> {
  if (typeof wait === 'number') return pause(wait, undefined, { signal });
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop);
  await Promise.race([wait, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
}
