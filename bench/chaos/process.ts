import { newClock } from '#bin/local/clock.ts';
import { startServer } from '#bin/local/server.ts';
import { runStream } from '#bin/local/stream.ts';
import { runWorkers } from '#bin/local/workers.ts';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { loadStreamConsumer } from '#infra/worker-functions.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import { requireEnv } from '#lib/values/env.ts';
import { updateRollupsUntil } from './rollups.ts';

/*
 * One process of a fleet: the API as Lambda would run it, or workers, or rollup updates. Its clock is off by
 * `CLOCK_MS`, until a message changes that.
 */

const now = Date.now.bind(Date);
let off = Number(requireEnv('CLOCK_MS'));
Date.now = () => now() + off;
process.on('message', (ms) => {
  off = Number(ms);
});
process.once('disconnect', () => process.exit());

if (requireEnv('ROLE') === 'api') {
  // Only the routes that clients call: each life of a process begins with loading them.
  const routes = await Promise.all(
    [
      ...['company/trade/', 'company/stock/', 'company/cashbox/', 'company/client/', 'company/product/'],
      ...['company/report/', 'company/webhook/', 'company/sync.ts', 'company/tariff/'],
      ...['admin/billing/', 'external/'],
    ].map((start) => discoverRoutes(start)),
  );
  const server = await startServer(routes.flat(), async () => undefined, newClock(), 0);
  process.send?.(server.address);
} else if (requireEnv('ROLE') === 'folds') {
  process.send?.('');
  await updateRollupsUntil();
} else {
  const workers = discoverWorkers();
  const queueUrls = Object.fromEntries(workers.map(({ name }) => [name, requireEnv(queueUrlVariable(name))]));
  process.send?.('');
  const { signal } = new AbortController();
  // Each life reads the stream from its beginning: old records come again, long after. The last life only
  // finishes remaining work.
  const isLast = process.env['LAST_LIFE'] !== undefined;
  const clock = newClock();
  await Promise.all([
    runWorkers(workers, queueUrls, clock, signal),
    ...(isLast ? [] : [runStream(await loadStreamConsumer(), clock, signal)]),
  ]);
}
