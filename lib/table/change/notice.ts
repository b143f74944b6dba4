import { enqueue, INDEXING } from '#lib/queues/queue.ts';
import type { Home, Source } from '#lib/table/keys.ts';

/** Records, by type and home, whose list indexes have something to fold in. */
export interface Notice {
  readonly type: string;
  readonly home: Home;
  readonly fields: readonly string[];
  readonly days?: readonly string[] | undefined;
}

/** New records that are worth a fold: each reader reads those that are not in the indexes yet. */
export const STRETCH = 64;

/** Lets what is written at about the same time be folded in together. */
const DELAY_S = 2;

/** Makes the notice about a source: its type and home, and what of its records is indexed. */
export function noticeOf({ type, home, indexes = [], days }: Source): Notice {
  return { type, home, fields: indexes, ...(days && { days }) };
}

/** Makes the notice of a new record; only one in `STRETCH` has one. */
export function insertionNotice(source: Source, id: number): { readonly notice?: Notice } {
  return id % STRETCH === 0 ? { notice: noticeOf(source) } : {};
}

/**
 * Sends the worker of list indexes some notices, once for each source. A failure is only warned of: readers
 * are right without a fold, and the next one catches up.
 */
export async function sendNotices(notices: readonly Notice[]): Promise<void> {
  const bySource = new Map(notices.map((notice) => [`${notice.type}#${notice.home}`, notice]));
  await Promise.all(
    [...bySource.values()].map((notice) =>
      enqueue(INDEXING, notice, DELAY_S).catch((error: unknown) =>
        process.emitWarning(`Lists of ${notice.type} are not indexed: ${error}`),
      ),
    ),
  );
}
