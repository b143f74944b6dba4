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
import { SyncType } from '#lib/records/sync-type.ts';
import { dueRevisions, HEARD, nameIn, type ReceiverFamily } from './due-revisions.ts';
import type { ChaosFamily } from './family.ts';

/*
 * A receiver of webhooks beside the run. Dispatchers die, freeze and lose responses as all workers do. The
 * stream consumer and the schedules run in this process, without faults, as Lambda's poller and the scheduler
 * are AWS's.
 */

/**
 * Silence after which no more events are expected: a delivery that has failed twice, as its dispatcher died,
 * is retried five minutes later.
 */
const PATIENCE_MS = 360_000;

/** Share of new events at which the receiver fails. */
const FAILING = 0.1;

/** Workers that a run needs each minute: their work is late or retried. */
const SCHEDULED = ['sweep-webhooks', 'start-repricings'];

const Event = z.object({
  type: z.string(),
  data: z.object({ type: SyncType, id: z.int(), revision: z.int() }),
});

/** Events received. */
export type ReceivedEvents = Awaited<ReturnType<typeof startReceiving>>;

/** Starts the receiver, and the workers that feed it until it is stopped. */
export async function startReceiving(chance: SeededRandom) {
  const heard = new Map<string, number>();
  const seen = new Set<string>();
  const last = { heard_at: performance.now() };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const id = String(request.headers['webhook-id']);
      const isFailing = !seen.has(id) && chance.next() < FAILING;
      seen.add(id);
      last.heard_at = performance.now();
      if (!isFailing) {
        const { data } = Event.parse(JSON.parse(body));
        const name = nameIn(String(request.url), data);
        heard.set(name, Math.max(data.revision, heard.get(name) ?? 0));
      }
      response.writeHead(isFailing ? 500 : 204).end();
    });
  });
  const { address, stop } = await listen(server);
  const stopping = new AbortController();
  const scheduled = discoverWorkers().filter(({ name }) => SCHEDULED.includes(name));
  const clock = newClock();
  const working = Promise.all([
    runStream(await loadStreamConsumer(), clock, stopping.signal),
    runSchedules(scheduled, clock, stopping.signal),
  ]);
  return {
    address,
    heard,
    last,
    stop: async () => {
      stopping.abort();
      await working;
      await stop();
    },
  };
}

/** Subscribes the receiver to a family's events. */
export async function subscribeToSales(
  api: string,
  { address }: ReceivedEvents,
  { familyId, token }: ChaosFamily,
) {
  const types = HEARD.map((type) => `${type}.*`);
  await personOf(api, token).call('POST /company/webhook', { url: `${address}/${familyId}`, types });
}

/**
 * Waits until the last revision of every record of families has arrived; returns the number of records, and
 * the missing ones.
 */
export async function waitForRevisions({ heard, last }: ReceivedEvents, families: readonly ReceiverFamily[]) {
  const { length: count } = families.flatMap(dueRevisions);
  last.heard_at = performance.now();
  for (; ; await pause(500)) {
    const missing = listMissingRevisions(heard, families);
    const isOver = performance.now() > last.heard_at + PATIENCE_MS;
    if (missing.length === 0 || isOver) return { count, missing };
  }
}

/** Lists records whose last revision has not arrived. */
export function listMissingRevisions(
  heard: ReadonlyMap<string, number>,
  families: readonly ReceiverFamily[],
): string[] {
  return families.flatMap(dueRevisions).flatMap(({ name, revision, least }) => {
    const known = heard.get(name);
    if (known !== undefined && known >= least) return [];
    return `${name}: revision ${revision}, ${known === undefined ? 'nothing of it' : `only ${known}`}`;
  });
}
