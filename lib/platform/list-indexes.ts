import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { enqueue, INDEXING } from '#lib/queues/queue.ts';
import type { Home } from '#lib/table/keys.ts';
import { foldIndexes } from '#lib/table/list-index/fold/fold.ts';
import type { Instant } from '#lib/values/time.ts';

/** A notice that records of a type in a home have changes to fold into the indexes of their lists. */
export const IndexMessage = z.object({
  type: z.string(),
  home: z.custom<Home>((home) => typeof home === 'string'),
  /** Fields that have an index each. */
  fields: z.array(z.string()),
  /** Instants whose days are kept, beside the making. */
  days: z.array(z.string()).default([]),
});

type IndexMessage = z.output<typeof IndexMessage>;

/** The longest delay of a message. */
const MOST_DELAY_S = 900;

/** How often others may be faster before the work is left to another message. */
const ATTEMPTS = 10;

const BUSY_S = 5;

/**
 * Folds in everything there is until the time is up; another message does the rest. Messages about the same
 * records may run at the same time without harm.
 */
export async function foldLists(
  message: IndexMessage,
  now: () => Instant,
  isTimeUp: () => boolean,
): Promise<void> {
  const { type, home, fields: indexes, days } = message;
  const source = { type, home, indexes, days };
  for (let attempt = 1; ; ) {
    const left = await foldIndexes(source, now());
    if (!left) {
      attempt += 1;
      if (attempt > ATTEMPTS || isTimeUp()) return enqueue(INDEXING, message, BUSY_S);
      await pause(Math.random() * 100 * attempt);
      continue;
    }
    if (left.wakeAt !== undefined) {
      const delay = Math.ceil((left.wakeAt - now()) / 1000);
      await enqueue(INDEXING, message, Math.min(MOST_DELAY_S, Math.max(0, delay)));
    }
    if (!left.isMore) return;
    if (isTimeUp()) return enqueue(INDEXING, message);
  }
}
