import * as z from 'zod';
import { enqueue, RECOVERY_WORKER } from '#lib/queues/queue.ts';
import { RECOVERY_DELAY_S, recoverJournal } from '#lib/table/journal/recovery.ts';

/** Id of a large transaction that was in progress some time ago. */
export const RecoveryMessage = z.object({ id: z.string() });

/**
 * Commits or rolls back a transaction whose function died. If a worker may still be running it, it is checked
 * again after the same delay.
 */
export async function recoverTransaction({ id }: z.output<typeof RecoveryMessage>): Promise<void> {
  if ((await recoverJournal(id)) === 'preparing') await enqueue(RECOVERY_WORKER, { id }, RECOVERY_DELAY_S);
}
