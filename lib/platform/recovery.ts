import * as z from 'zod';
import { enqueue, RECOVERY_WORKER } from '#lib/queues/queue.ts';
import { RECOVERY_DELAY_S, recoverJournal } from '#lib/table/journal/recovery.ts';

/** The id of a large transaction, which was under way some time ago. */
export const RecoveryMessage = z.object({ id: z.string() });

/**
 * Finishes a transaction whose function died in the middle, or rolls it back, if nobody has met it since. A
 * worker may still be at it: then it is looked at again as much later.
 */
export async function recoverTransaction({ id }: z.output<typeof RecoveryMessage>): Promise<void> {
  if ((await recoverJournal(id)) === 'preparing') await enqueue(RECOVERY_WORKER, { id }, RECOVERY_DELAY_S);
}
