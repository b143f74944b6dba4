import type { SQSClient } from '@aws-sdk/client-sqs';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { giveUpAfter, QUICK_MS } from '#lib/values/silence.ts';

/** The recovery worker for interrupted large transactions; any writer may enqueue to it. */
export const RECOVERY_WORKER = 'recover-journals';

/** The index worker, which updates list indexes; any reader or writer of the table may enqueue to it. */
export const INDEX_WORKER = 'index-lists';

/** The worker for applying stocktakes to stock levels. */
export const STOCKTAKE_WORKER = 'finish-counts';

let connection: SQSClient | undefined;

/**
 * Enqueues a message for a worker (`functions/workers/<name>.ts`), which gets it at least once, and not
 * before `delaySeconds` have passed.
 */
export async function enqueue(worker: string, message: unknown, delaySeconds = 0): Promise<void> {
  const { sqs, SendMessageCommand } = await sqsClient();
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: requireEnv(queueUrlVariable(worker)),
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}

/**
 * Enqueues a message likewise, before the change that needs it: 503 if the queue is unavailable, with nothing
 * changed yet.
 */
export async function enqueueSurely(worker: string, message: unknown, delaySeconds: number): Promise<void> {
  try {
    await enqueue(worker, message, delaySeconds);
  } catch (error) {
    process.emitWarning(`The queue of ${worker} takes no message: ${error}`);
    throw serviceUnavailable();
  }
}

/** Loads the SQS client, once. Few calls enqueue, so it is loaded by the first one that does. */
export async function sqsClient() {
  const { SQSClient, SendMessageCommand } = await import('@aws-sdk/client-sqs');
  connection ??= new SQSClient({ requestHandler: giveUpAfter(QUICK_MS) });
  return { sqs: connection, SendMessageCommand };
}

/** Returns the environment variable with the URL of a worker's queue. */
export function queueUrlVariable(worker: string): string {
  return `QUEUE_${worker.toUpperCase().replaceAll('-', '_')}_URL`;
}
