import type { SQSClient } from '@aws-sdk/client-sqs';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { giveUpAfter, QUICK_MS } from '#lib/values/silence.ts';

/** The worker for interrupted large transactions: whatever writes may send to it. */
export const RECOVERY_WORKER = 'recover-journals';

/**
 * The worker for the indexes of lists, which folds in what was written: whatever uses the table may send to
 * it.
 */
export const INDEX_WORKER = 'index-lists';

/** Names the worker that brings shelves to what counts have set them to. */
export const STOCKTAKE_WORKER = 'finish-counts';

let connection: SQSClient | undefined;

/**
 * Hands work to the worker of this name (`functions/workers/<name>.ts`), which gets it at least once, and not
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
 * Hands work on in the same way before the change that makes it needed: 503 if the queue does not take it, as
 * nothing has been changed yet.
 */
export async function enqueueSurely(worker: string, message: unknown, delaySeconds: number): Promise<void> {
  try {
    await enqueue(worker, message, delaySeconds);
  } catch (error) {
    process.emitWarning(`The queue of ${worker} takes no message: ${error}`);
    throw serviceUnavailable();
  }
}

/** Loads SQS, once. Few calls hand work on: the first that does loads it. */
export async function sqsClient() {
  const { SQSClient, SendMessageCommand } = await import('@aws-sdk/client-sqs');
  connection ??= new SQSClient({ requestHandler: giveUpAfter(QUICK_MS) });
  return { sqs: connection, SendMessageCommand };
}

/** Names the environment variable with the address of a worker's queue. */
export function queueUrlVariable(worker: string): string {
  return `QUEUE_${worker.toUpperCase().replaceAll('-', '_')}_URL`;
}
