import { enqueue, INDEXING } from '#lib/queues/queue.ts';
import type { Source } from '#lib/table/list/request.ts';
import type { Notice, Write } from '#lib/table/transaction/write.ts';

/** Lets what is written at about the same time be folded in together. */
const DELAY_S = 2;

/** New records that are worth a fold: each reader reads those that are not in the indexes yet. */
export const STRETCH = 64;

/** Makes the notice about a source: its type and home, and which fields have an index. */
export function noticeOf({ type, home, indexes = [] }: Source): Notice {
  return { type, home, fields: indexes };
}

/** Makes the notice of a new record; only one in `STRETCH` has one. */
export function insertionNotice(source: Source, id: number): { readonly notice?: Notice } {
  return id % STRETCH === 0 ? { notice: noticeOf(source) } : {};
}

/** Sends the worker of list indexes the notices of writes, once for each source. */
export async function sendNotices(writes: readonly Write[]): Promise<void> {
  const notices = new Map<string, Notice>();
  for (const { notice } of writes) if (notice) notices.set(`${notice.type}#${notice.home}`, notice);
  await Promise.all([...notices.values()].map((notice) => send(notice, DELAY_S)));
}

/** Asks for indexes to be built anew, because they were found wrong. */
export function reportWrong(source: Source): Promise<void> {
  process.emitWarning(`The list indexes of ${source.type} in ${source.home} are wrong`);
  return send({ ...noticeOf(source), rebuild: true }, 0);
}

/**
 * Sends a message. A failure is only warned of: readers are right without a fold, and the next one catches
 * up.
 */
async function send(message: Notice & { readonly rebuild?: boolean }, delaySeconds: number): Promise<void> {
  try {
    await enqueue(INDEXING, message, delaySeconds);
  } catch (error) {
    process.emitWarning(
      `Lists of ${message.type} are not indexed: ${error instanceof Error ? error.message : error}`,
    );
  }
}
