import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { enqueue, INDEX_WORKER } from '#lib/queues/queue.ts';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { needsIndexes } from '#lib/table/list-index/update/need.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import type { RemainingWork } from '#lib/table/projection/step.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { updateSearch } from '#lib/table/search/update.ts';
import type { Instant } from '#lib/values/time.ts';

/** Message that records of a type in a tenant have changes to apply to their list indexes and rollups. */
export const IndexMessage = z.object({
  type: z.string(),
  home: z.custom<Tenant>((tenant) => typeof tenant === 'string'),
  /** Indexed fields. */
  fields: z.array(z.string()),
  /** Instants indexed by day, beside the creation time. */
  days: z.array(z.string()).default([]),
  /** Searched fields. */
  search: z
    .array(
      z.object({
        field: z.string(),
        of: z.string().optional(),
        as: z.enum(['name', 'code', 'phone', 'external']),
      }),
    )
    .optional(),
});

type IndexMessage = z.output<typeof IndexMessage>;

/** Runs one update; undefined if another worker was faster. */
type Update = (at: Instant) => Promise<RemainingWork | undefined>;

/** Clock of a worker, and its time limit. */
interface Time {
  readonly now: () => Instant;
  readonly isUp: () => boolean;
}

/** Longest delay of a message. */
const MAX_DELAY_S = 900;

/** Times another worker may be faster before the work is left to another message. */
const ATTEMPTS = 10;

const BUSY_S = 5;

/**
 * Applies all pending changes until the time is up; another message does the rest. Concurrent messages about
 * the same records are safe.
 */
export async function updateListIndexes(message: IndexMessage, time: Time): Promise<void> {
  const { type, home: tenant, fields: indexes, days, search } = message;
  const source = { type, tenant, indexes, days, ...(search && { search }) };
  const updates = [updateIndexes, updateSearch];
  const ofLists = (await needsIndexes(source))
    ? updates.map(
        (update): Update =>
          (at) =>
            update(source, at),
      )
    : [];
  const ofRollups = ALL_ROLLUPS.filter(({ source }) => source === type).map(
    (kind): Update =>
      (at) =>
        updateRollups(kind, tenant, at),
  );
  for (const update of [...ofLists, ...ofRollups]) {
    if (!(await updateWhole(update, message, time))) return;
  }
}

/** Repeats an update until nothing is left. False if the rest was left to another message. */
async function updateWhole(update: Update, message: IndexMessage, { now, isUp }: Time): Promise<boolean> {
  for (let attempt = 1; ; ) {
    const left = await update(now());
    if (!left) {
      attempt += 1;
      if (attempt > ATTEMPTS || isUp()) return requeue(message, BUSY_S);
      await pause(Math.random() * 100 * attempt);
      continue;
    }
    if (left.wakeAt !== undefined) {
      const delay = Math.ceil((left.wakeAt - now()) / 1000);
      await enqueue(INDEX_WORKER, message, Math.min(MAX_DELAY_S, Math.max(0, delay)));
    }
    if (!left.isMore) return true;
    if (isUp()) return requeue(message);
  }
}

async function requeue(message: IndexMessage, delay_s = 0): Promise<false> {
  await enqueue(INDEX_WORKER, message, delay_s);
  return false;
}
