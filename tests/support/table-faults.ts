import { setTimeout as pause } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { HalfSeen, type IsLate } from '#bench/chaos/half-seen.ts';
import { type FaultProxy, startProxy } from '#bench/chaos/proxy.ts';
import type { WireKey } from '#bench/chaos/wire-key.ts';
import { dynamo } from '#lib/table/client.ts';
import { inBackground } from '#lib/values/concurrency.ts';

/**
 * Puts a proxy between this test file and the table. Call it before the file's first request to the table.
 * The running service's calls bypass it, and so do those of the file while no fault is set: most of them
 * prepare or inspect a scene, and each costs half as much without a second server in its way.
 */
export async function behindProxy(): Promise<FaultProxy> {
  const table = new URL(String(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB']));
  const proxy = await startProxy(table.href);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
  let faults = 0;
  dynamo.middlewareStack.add(
    (next) => (args) => {
      const { request } = args;
      const isPast = faults === 0 && typeof request === 'object' && request !== null;
      if (isPast) Object.assign(request, { hostname: table.hostname, port: Number(table.port) });
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'past-proxy', override: true },
  );
  const on: FaultProxy['on'] = (...rule) => {
    const set = proxy.on(...rule);
    faults += 1;
    let isOff = false;
    const off = () => {
      if (!isOff) faults -= 1;
      isOff = true;
      set.off();
    };
    return {
      off,
      met: set.met,
      get count() {
        return set.count;
      },
    };
  };
  return { ...proxy, on };
}

/** Sets a fault for one test. */
export function faultInTest(proxy: FaultProxy, ...rule: Parameters<FaultProxy['on']>) {
  const set = proxy.on(...rule);
  onTestFinished(() => set.off());
  return set;
}

/** A transaction that is seen in part, and the items of it that are seen late. */
export interface InPart {
  /** Matches the transaction by its keys. */
  readonly of: (key: WireKey) => boolean;
  readonly isLate: IsLate;
}

/** Maximum duration of partial visibility; nothing waits longer for its end. */
const SEEN_IN_PART_MS = 400;

/**
 * Does work whose transaction is visible in part during another action of this process; returns both results.
 * DynamoDB allows that, and the local table never does so by itself.
 */
export async function showInPart<A, B>(
  proxy: FaultProxy,
  { of, isLate }: InPart,
  work: () => Promise<A>,
  meanwhile: () => Promise<B>,
): Promise<[A, B]> {
  const halfSeen = new HalfSeen();
  let other: Promise<B> | undefined;
  const commit = proxy.on(
    ({ operation, keys }) => operation === 'TransactWriteItems' && keys.some(of),
    halfSeen.commit(isLate, (signal) => {
      other = inBackground(meanwhile());
      return Promise.race([other.catch(() => {}), pause(SEEN_IN_PART_MS, undefined, { signal })]);
    }),
  );
  const meeting = proxy.on(halfSeen.meets, halfSeen.meet, { times: Number.POSITIVE_INFINITY });
  try {
    const done = await work();
    if (!other) throw new Error('No such transaction was made');
    return [done, await other];
  } finally {
    commit.off();
    meeting.off();
  }
}
