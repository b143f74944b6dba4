import { newClock } from '#bin/local/clock.ts';
import { runWorkers } from '#bin/local/workers.ts';
import { discoverWorkers } from '#infra/routes.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import { requireEnv } from '#lib/values/env.ts';

// The worker has a process of its own, so that it can be killed and its memory measured; it reports both
// progress and memory.
const SAMPLE_MS = 50;

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
}, SAMPLE_MS);

const workers = discoverWorkers().filter(({ name }) => name === 'broadcast');
const queueUrls = { broadcast: requireEnv(queueUrlVariable('broadcast')) };
await runWorkers(workers, queueUrls, newClock(), new AbortController().signal);
