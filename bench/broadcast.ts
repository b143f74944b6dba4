import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { accountOf } from '#bin/local/data.ts';
import { startDatabase } from '#bin/local/database/database.ts';
import { chooseEngine } from '#bin/local/database/engine.ts';
import { startEmulators } from '#bin/local/emulators.ts';
import { maker } from '#bin/local/maker.ts';
import { create } from '#lib/people/broadcast.ts';
import { NOTIFICATION } from '#lib/people/notification.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import { PLATFORM, recordKey, sequencesKey, userTenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { isRecipient, loadUsers, userIds } from './support/people.ts';
import type { Scale } from './support/scale.ts';

const USERS = 110_000;
const FEWEST_USERS = 2200;

/** Few enough for one read. */
const BATCH = 100;

const LOOK_MS = 200;

const Sample = z.object({ rss: z.number(), heapUsed: z.number() });
const Progress = z.object({ next: z.int().nullable() });

type Sample = z.output<typeof Sample>;

/** Notifies 100 000 users twice: uninterrupted, and with the worker killed halfway. */
export async function measureBroadcast({ isSmallest }: Scale): Promise<object[]> {
  const count = isSmallest ? FEWEST_USERS : USERS;
  Object.assign(process.env, accountOf(undefined));
  const database = await startDatabase(chooseEngine(), 'retail', undefined);
  const emulators = await startEmulators('retail-files', ['broadcast'], undefined);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SQS: emulators.endpoint,
    TABLE_NAME: 'retail',
    [queueUrlVariable('broadcast')]: emulators.queueUrls['broadcast'],
  });
  try {
    await loadUsers(count);
    const straight = await measure('straight', count);
    if (isSmallest) return [straight];
    return [straight, await measure('killed halfway', count, USERS / 2)];
  } finally {
    await Promise.all([database.stop(), emulators.stop()]);
  }
}

/**
 * Measures one broadcast, and whether every recipient was notified. Memory is that of the worker's process,
 * in megabytes; seconds are the worker's running time, without the wait until a killed worker's message is
 * redelivered.
 */
async function measure(run: string, users: number, killAt?: number) {
  await create(maker, { user_query: null, type: 'message', text: 'Hello' }, Date.now());
  const id = lastIdIn(await getItem(sequencesKey(PLATFORM)), NOTIFICATION);
  const samples: Sample[] = [];
  let seconds = await workUntil(id, killAt ?? null, samples);
  if (killAt !== undefined) seconds += await workUntil(id, null, samples);
  const ids = userIds(users);
  const told = await countNotified(id, ids);
  const recipients = ids.filter(isRecipient).length;
  if (told.told !== recipients || told.told_by_mistake > 0) {
    throw new Error(`${told.told} of ${recipients} were told, and ${told.told_by_mistake} others`);
  }
  const max = (of: (sample: Sample) => number) => megabytes(Math.max(...samples.map(of)));
  const first = samples[0] ?? { rss: 0, heapUsed: 0 };
  return {
    run,
    recipients,
    seconds: Math.round(seconds),
    ...told,
    heap_at_first_mb: megabytes(first.heapUsed),
    heap_most_mb: max(({ heapUsed }) => heapUsed),
    rss_at_first_mb: megabytes(first.rss),
    rss_most_mb: max(({ rss }) => rss),
  };
}

/**
 * Runs a worker until the broadcast's progress reaches an id, null for its end, and kills it; returns its
 * seconds of running.
 */
async function workUntil(id: number, reached: number | null, samples: Sample[]): Promise<number> {
  const before = await progressOf(id);
  const worker = fork(join(import.meta.dirname, 'broadcast-worker.ts'));
  worker.on('message', (message) => samples.push(Sample.parse(message)));
  const ended = once(worker, 'exit');
  let began: number | undefined;
  for (;;) {
    const next = await progressOf(id);
    if (next !== before) began ??= performance.now();
    if (next === null || (reached !== null && next >= reached)) break;
    await pause(LOOK_MS);
    if (worker.exitCode !== null) throw new Error(`The worker ended by itself, with ${worker.exitCode}`);
  }
  const seconds = (performance.now() - (began ?? performance.now())) / 1000;
  worker.kill('SIGKILL');
  await ended;
  return seconds;
}

async function progressOf(id: number): Promise<number | null> {
  return Progress.parse(await getItem(recordKey('broadcast-progress', PLATFORM, id))).next;
}

/**
 * Counts recipients with their notification, and users notified by mistake. By its key a user has at most
 * one.
 */
async function countNotified(id: number, users: readonly number[]) {
  let [told, told_by_mistake] = [0, 0];
  for (const some of splitEvery(users, BATCH)) {
    const items = await getItems(some.map((user) => recordKey(NOTIFICATION, userTenant(user), id)));
    const reached = some.filter((_, index) => items[index] !== undefined);
    const right = reached.filter(isRecipient).length;
    told += right;
    told_by_mistake += reached.length - right;
  }
  return { told, told_by_mistake };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
