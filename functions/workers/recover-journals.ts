import { worker } from '#lib/http/worker.ts';
import { RecoveryMessage, recoverTransaction } from '#lib/platform/recovery.ts';

/** Ends large transactions that were cut off. */
export const handler = worker({
  message: RecoveryMessage,
  uses: ['queue:recover-journals'],
  run: recoverTransaction,
});
