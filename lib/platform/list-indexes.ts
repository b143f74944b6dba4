import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { enqueue, INDEX_WORKER } from '#lib/queues/queue.ts';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { needsIndexes } from '#lib/table/list-index/update/need.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import type { RemainingWork } from '#lib/table/projection/step.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * A notice that records of a type in a home have changes to fold into the indexes of their lists, and into
 * cubes of what they come to.
 */
export const IndexMessage = z.object({
  type: z.string(),
  home: z.custom<Tenant>((tenant) => typeof tenant === 'string'),
  /** Fields that have an index each. */
  fields: z.array(z.string()),
  /** Instants whose days are kept, beside the making. */
  days: z.array(z.string()).default([]),
});

type IndexMessage = z.output<typeof IndexMessage>;

/** Folds once; undefined if someone else was faster. */
type Update = (at: Instant) => Promise<RemainingWork | undefined>;

/** The clock of a worker, and the end of its time. */
interface Time {
  readonly now: () => Instant;
  readonly isUp: () => boolean;
}

/** The longest delay of a message. */
const MAX_DELAY_S = 900;

/** How often others may be faster before the work is left to another message. */
const ATTEMPTS = 10;

const BUSY_S = 5;

/**
 * Folds in everything there is until the time is up; another message does the rest. Messages about the same
 * records may run at the same time without harm.
 */
export async function updateListIndexes(message: IndexMessage, time: Time): Promise<void> {
  const { type, home: tenant, fields: indexes, days } = message;
  const source = { type, tenant, indexes, days };
  const ofLists: Update[] = (await needsIndexes(source)) ? [(at) => updateIndexes(source, at)] : [];
  const ofCubes = ALL_ROLLUPS.filter(({ source }) => source === type).map(
    (kind): Update =>
      (at) =>
        updateRollups(kind, tenant, at),
  );
  for (const update of [...ofLists, ...ofCubes]) {
    if (!(await updateWhole(update, message, time))) return;
  }
}

/** Folds until nothing is left. False if the rest was left to another message. */
async function updateWhole(update: Update, message: IndexMessage, { now, isUp }: Time): Promise<boolean> {
  for (let attempt = 1; ; ) {
    const left = await update(now());
    if (!left) {
      attempt += 1;
      if (attempt > ATTEMPTS || isUp()) return leave(message, BUSY_S);
      await pause(Math.random() * 100 * attempt);
      continue;
    }
    if (left.wakeAt !== undefined) {
      const delay = Math.ceil((left.wakeAt - now()) / 1000);
      await enqueue(INDEX_WORKER, message, Math.min(MAX_DELAY_S, Math.max(0, delay)));
    }
    if (!left.isMore) return true;
    if (isUp()) return leave(message);
  }
}

async function leave(message: IndexMessage, delay_s = 0): Promise<false> {
  await enqueue(INDEX_WORKER, message, delay_s);
  return false;
}
