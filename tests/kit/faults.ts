import { inject, onTestFinished } from 'vitest';
import { type FaultProxy, startProxy } from '#bench/chaos/proxy.ts';
import { dynamo } from '#lib/table/client.ts';

/**
 * Puts a proxy between this test file and the table. Call it before anything else of the file asks the table.
 * The running service's calls go past it, and so do those of the file while no fault is set: most of them set
 * a scene or look at it, and each costs half as much without a second server in its way.
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
