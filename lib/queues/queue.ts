import type { SQSClient } from '@aws-sdk/client-sqs';
import { setting } from '#lib/values/setting.ts';

/** The worker that watches over large transactions: whatever writes may send to it. */
export const RECOVERY = 'recover-journals';

/**
 * The worker that folds what was written into the indexes of lists: whatever uses the table may send to it.
 */
export const INDEXING = 'index-lists';

let connection: SQSClient | undefined;

/**
 * Hands work to the worker of this name (`functions/workers/<name>.ts`), which gets it at least once, and not
 * before `delaySeconds` have passed.
 */
export async function enqueue(worker: string, message: unknown, delaySeconds = 0): Promise<void> {
  const { SQSClient, SendMessageCommand } = await import('@aws-sdk/client-sqs');
  connection ??= new SQSClient({});
  await connection.send(
    new SendMessageCommand({
      QueueUrl: setting(queueSetting(worker)),
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}

/** Names the environment variable with the address of a worker's queue. */
export function queueSetting(worker: string): string {
  return `QUEUE_${worker.toUpperCase().replaceAll('-', '_')}_URL`;
}
