import { enqueue, INDEXING } from '#lib/queues/queue.ts';
import type { Notice, Write } from '#lib/table/change/write.ts';

/** Lets what is written at about the same time be folded in together. */
const DELAY_S = 2;

/** Sends the worker of list indexes the notices of writes, once for each source. */
export async function sendNotices(writes: readonly Write[]): Promise<void> {
  const notices = new Map<string, Notice>();
  for (const { notice } of writes) if (notice) notices.set(`${notice.type}#${notice.home}`, notice);
  await Promise.all([...notices.values()].map(sendNotice));
}

/**
 * Sends a notice. A failure is only warned of: readers are right without a fold, and the next one catches
 * up.
 */
async function sendNotice(notice: Notice): Promise<void> {
  try {
    await enqueue(INDEXING, notice, DELAY_S);
  } catch (error) {
    process.emitWarning(
      `Lists of ${notice.type} are not indexed: ${error instanceof Error ? error.message : error}`,
    );
  }
}
