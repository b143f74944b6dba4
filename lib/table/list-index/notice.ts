import { enqueue, INDEXING } from '#lib/queues/queue.ts';
import type { Source } from '#lib/table/list/request.ts';
import type { Notice, Write } from '#lib/table/transaction/write.ts';

/** So that what is written at about the same time is folded in together. */
const DELAY_S = 2;

/** So many new records are worth a fold: each reader reads those which are not in the indexes yet. */
export const STRETCH = 64;

/** What a write says of records of a source: where they are, and which fields have an index. */
export function noticeOf({ type, home, indexes = [] }: Source): Notice {
  return { type, home, fields: indexes };
}

/** What the write of a new record says, which is something in one of so many only. */
export function insertionNotice(source: Source, id: number): { readonly notice?: Notice } {
  return id % STRETCH === 0 ? { notice: noticeOf(source) } : {};
}

/** Tells the worker of list indexes what writes have to say to it, each source once. */
export async function sendNotices(writes: readonly Write[]): Promise<void> {
  const notices = new Map<string, Notice>();
  for (const { notice } of writes) if (notice) notices.set(`${notice.type}#${notice.home}`, notice);
  await Promise.all([...notices.values()].map((notice) => send(notice, DELAY_S)));
}

/** Asks for indexes to be built anew: they were found wrong. */
export function reportWrong(source: Source): Promise<void> {
  process.emitWarning(`The list indexes of ${source.type} in ${source.home} are wrong`);
  return send({ ...noticeOf(source), rebuild: true }, 0);
}

/**
 * Sends a message. It is not worth a failure: readers are right without a fold, and the next one takes in what this one
 * was to.
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
