import { enqueue, INDEX_WORKER } from '#lib/queues/queue.ts';
import type { Source, Tenant } from '#lib/table/keys.ts';

/** Records, by type and home, whose list indexes have something to fold in. */
export interface IndexNotice {
  readonly type: string;
  readonly home: Tenant;
  readonly fields: readonly string[];
  readonly days?: readonly string[] | undefined;
}

/** New records that are worth a fold: each reader reads those that are not in the indexes yet. */
export const NOTICE_INTERVAL = 64;

/** Lets what is written at about the same time be folded in together. */
const DELAY_S = 2;

/** Makes the notice about a source: its type and home, and what of its records is indexed. */
export function indexNoticeOf({ type, tenant, indexes = [], days }: Source): IndexNotice {
  return { type, home: tenant, fields: indexes, ...(days && { days }) };
}

/** Makes the notice of a new record; only one in `NOTICE_INTERVAL` has one. */
export function insertionNotice(source: Source, id: number): { readonly notice?: IndexNotice } {
  return id % NOTICE_INTERVAL === 0 ? { notice: indexNoticeOf(source) } : {};
}

/**
 * Sends the worker of list indexes some notices, once for each source. A failure is only warned of: readers
 * are right without a fold, and the next one catches up.
 */
export async function sendIndexNotices(notices: readonly IndexNotice[]): Promise<void> {
  const bySource = new Map(notices.map((notice) => [`${notice.type}#${notice.home}`, notice]));
  await Promise.all(
    [...bySource.values()].map((notice) =>
      enqueue(INDEX_WORKER, notice, DELAY_S).catch((error: unknown) =>
        process.emitWarning(`Lists of ${notice.type} are not indexed: ${error}`),
      ),
    ),
  );
}
