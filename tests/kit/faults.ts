import { inject, onTestFinished } from 'vitest';
import { type FaultProxy, startProxy } from '#bench/chaos/proxy.ts';

/**
 * Puts a proxy between this test file and the table. Call it before anything else of the file asks the table.
 * The running service's calls go past it.
 */
export async function behindProxy(): Promise<FaultProxy> {
  const proxy = await startProxy(String(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB']));
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
  return proxy;
}

/** Sets a fault for one test. */
export function faultInTest(proxy: FaultProxy, ...rule: Parameters<FaultProxy['on']>) {
  const set = proxy.on(...rule);
  onTestFinished(() => set.off());
  return set;
}
