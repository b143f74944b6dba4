import { enqueue, INDEX_WORKER } from '#lib/queues/queue.ts';
import type { SearchField, Source, Tenant } from '#lib/table/keys.ts';

/** Message to the index worker: the list indexes of this type and tenant have pending updates. */
export interface IndexNotice {
  readonly type: string;
  readonly home: Tenant;
  readonly fields: readonly string[];
  readonly days?: readonly string[] | undefined;
  readonly search?: readonly SearchField[] | undefined;
}

/** New records per notice: until an update, readers read the records that are not in the indexes yet. */
export const NOTICE_INTERVAL = 64;

/** Lets one index update cover records written at about the same time. */
const DELAY_S = 2;

/** Returns the notice for a source: its type, its tenant and the indexed fields. */
export function indexNoticeOf({ type, tenant, indexes = [], days, search }: Source): IndexNotice {
  return { type, home: tenant, fields: indexes, ...(days && { days }), ...(search && { search }) };
}

/** Returns the notice for a new record; only every `NOTICE_INTERVAL`th record has one. */
export function insertionNotice(source: Source, id: number): { readonly notice?: IndexNotice } {
  return id % NOTICE_INTERVAL === 0 ? { notice: indexNoticeOf(source) } : {};
}

/**
 * Enqueues notices for the index worker, one for each source. A failure is only logged as a warning: reads
 * are correct without the update, and the next one catches up.
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
