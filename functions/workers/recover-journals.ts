import { worker } from '#lib/http/worker.ts';
import { RecoveryMessage, recoverTransaction } from '#lib/platform/recovery.ts';
import { RECOVERY } from '#lib/queues/queue.ts';

/** Ends large transactions that were cut off. */
export const handler = worker({
  message: RecoveryMessage,
  uses: [`queue:${RECOVERY}`],
  run: recoverTransaction,
});
