import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerFile } from '#infra/routes.ts';
import { workerFunctionOf } from '#infra/worker-functions.ts';
import type { Interval } from '#lib/http/worker.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { LocalClock } from './clock.ts';

const TICK_MS = 100;
const NINE_MS = 9 * 3_600_000;
const LENGTHS_MS = { hour: 3_600_000, minute: 60_000 };

/**
 * Sends scheduled workers a message when the clock has passed midnight, nine or an hour, as EventBridge
 * Scheduler does, whether the clock ran or was set. The first is sent at once, as the service may have been
 * stopped for days. Runs until the signal.
 */
export async function runSchedules(
  files: readonly WorkerFile[],
  clock: LocalClock,
  signal: AbortSignal,
): Promise<void> {
  const workers = await Promise.all(files.map(workerFunctionOf));
  const latest = new Map<string, string>();
  while (!signal.aborted) {
    const at = clock.now();
    for (const { name, every } of workers) {
      const turn = every && turnOf(every, at);
      if (turn === undefined || turn === latest.get(name)) continue;
      latest.set(name, turn);
      // The queue may be gone: the service is stopping.
      await enqueue(name, { at }).catch(() => latest.delete(name));
    }
    await pause(TICK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The only turn of a schedule in a run without hours. */
const START = 'start';

function turnOf(every: Interval, at: Instant): string {
  // An hour or a day that passes during tests would charge and notify families whose time is their own.
  if (every !== 'minute' && process.env['WITHOUT_HOURS']) return START;
  if (every === 'day') return dayOf(at);
  if (every === 'morning') return dayOf(at - NINE_MS);
  return String(Math.floor(at / LENGTHS_MS[every]));
}
