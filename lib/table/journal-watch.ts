import { enqueue, SETTLING } from '#lib/queues/queue.ts';

/** Longer than any function runs, and a lease after it. */
const DELAY_S = 180;

/**
 * Has a journal looked after in three minutes, in case its owner dies and nobody meets its items by then. It is not
 * worth a failure: where the message can't be sent, whoever meets an item still settles it.
 */
export async function watch(id: string): Promise<void> {
  try {
    await enqueue(SETTLING, { id }, DELAY_S);
  } catch (error) {
    process.emitWarning(
      `Journal ${id} is not looked after: ${error instanceof Error ? error.message : error}`,
    );
  }
}
