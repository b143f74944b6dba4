import { worker } from '#lib/http/worker.ts';
import { RecoveryMessage, recoverTransaction } from '#lib/platform/recovery.ts';

/** Commits or rolls back interrupted large transactions. */
export const handler = worker({
  message: RecoveryMessage,
  uses: ['queue:recover-journals'],
  run: recoverTransaction,
});
