import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import { listen } from '#bin/cli/listen.ts';
import { personOf } from '#bin/cli/person.ts';
import { newClock } from '#bin/local/clock.ts';
import { runSchedules } from '#bin/local/schedules.ts';
import { runStream } from '#bin/local/stream.ts';
import { discoverWorkers } from '#infra/routes.ts';
import { loadStreamConsumer } from '#infra/worker-functions.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { sales } from '#lib/trade/sale/record.ts';
import type { ChaosFamily } from './family.ts';

/*
 * A receiver of webhooks beside the run. Whoever sends dies, freezes and loses answers as all workers do.
 * Whatever follows the stream and sweeps is in this process, to which nothing happens, as Lambda's poller and
 * the scheduler are AWS's.
 */

/** A sender that died is followed once its lease and a minute are over; then a try may fail once more. */
const PATIENCE_MS = 180_000;

/** How often a receiver fails at what it has not seen yet. */
const FAILING = 0.1;

const Told = z.object({ type: z.literal('trade.sale.created'), data: z.object({ id: z.int() }) });

/** What receivers have heard. */
export type ReceivedEvents = Awaited<ReturnType<typeof startReceiving>>;

/** Starts the receiver, and what brings it news until it is stopped. */
export async function startReceiving(chance: SeededRandom) {
  const heard = new Set<string>();
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const id = String(request.headers['webhook-id']);
      const isFailing = !seen.has(id) && chance.next() < FAILING;
      seen.add(id);
      if (!isFailing) heard.add(`${request.url} ${Told.parse(JSON.parse(body)).data.id}`);
      response.writeHead(isFailing ? 500 : 204).end();
    });
  });
  const { address, stop } = await listen(server);
  const stopping = new AbortController();
  const sweepers = discoverWorkers().filter(({ name }) => name === 'sweep-webhooks');
  const clock = newClock();
  const working = Promise.all([
    runStream(await loadStreamConsumer(), clock, stopping.signal),
    runSchedules(sweepers, clock, stopping.signal),
  ]);
  return {
    address,
    heard,
    stop: async () => {
      stopping.abort();
      await working;
      await stop();
    },
  };
}

/** Has a family's sales told to the receiver. */
export async function subscribeToSales(
  api: string,
  { address }: ReceivedEvents,
  { familyId, token }: ChaosFamily,
) {
  const types = ['trade.sale.created'];
  await personOf(api, token).call('POST /company/webhook', { url: `${address}/${familyId}`, types });
}

/** Waits until every sale has been heard of at least once; answers with how many there are, and lack. */
export async function waitForSales({ heard }: ReceivedEvents, scenes: readonly ChaosFamily[]) {
  const names = (await Promise.all(scenes.map(namesOfSales))).flat();
  for (const end = performance.now() + PATIENCE_MS; ; await pause(500)) {
    const missing = names.filter((name) => !heard.has(name));
    if (missing.length === 0 || performance.now() > end) return { count: names.length, missing };
  }
}

async function namesOfSales({ familyId }: ChaosFamily): Promise<string[]> {
  const names: string[] = [];
  for await (const items of walk(partition(sales.type, familyTenant(familyId)))) {
    names.push(...items.map(({ id }) => `/${familyId} ${id}`));
  }
  return names;
}
