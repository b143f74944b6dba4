import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { loadStreamConsumer } from '#infra/worker-functions.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { recordCalls } from './calls.ts';
import type { LocalClock } from './clock.ts';
import { startData } from './data.ts';
import { waitForLocks } from './database/locks.ts';
import { billMissing } from './database/missing-items.ts';
import { isFollowedHere } from './database/table.ts';
import { LOCAL_GATEWAY_SECRET, startGateway } from './gateway/simulator.ts';
import { runSchedules } from './schedules.ts';
import { startServer } from './server.ts';
import { runStream } from './stream.ts';
import { runWorkers } from './workers.ts';

export type LocalService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the whole service on the loopback: table, files, queues, workers and HTTP. Data are stored in
 * `directory`, or in memory, and prepared before the first request is accepted. Requests have the clock's
 * time.
 */
export async function startService(
  port: number,
  directory: string | undefined,
  clock: LocalClock,
  prepare: (at: Instant) => Promise<void>,
) {
  billMissing();
  waitForLocks();
  // The table starts concurrently.
  const routes = inBackground(discoverRoutes());
  const { settings, queueUrls, readFile, stop: stopData } = await startData(directory);
  let address = '';
  const gateway = await startGateway(() => `${address}/external/billing/payment-notification`);
  Object.assign(settings, { GATEWAY_URL: gateway.address, GATEWAY_SECRET: LOCAL_GATEWAY_SECRET });
  Object.assign(process.env, settings);
  const callsFile = process.env['CALLS_FILE'];
  if (callsFile) await recordCalls(callsFile);
  const server = await prepare(clock.now())
    .then(async () => startServer(await routes, readFile, clock, port))
    .catch(async (error: unknown) => {
      await Promise.all([gateway.stop(), stopData()]);
      throw error;
    });
  address = server.address;
  settings['ADDRESS'] = address;
  process.env['ADDRESS'] = address;

  const stopping = new AbortController();
  const working = Promise.all([
    runWorkers(discoverWorkers(), queueUrls, clock, stopping.signal),
    runSchedules(discoverWorkers(), clock, stopping.signal),
    isFollowedHere() && runStream(await loadStreamConsumer(), clock, stopping.signal),
  ]);
  return {
    address,
    /** Another process with these uses the same data. */
    settings,
    stop: async () => {
      stopping.abort();
      await Promise.all([server.stop(), working]);
      await Promise.all([gateway.stop(), stopData()]);
    },
  };
}
