import { requireEnv } from '#lib/values/env.ts';
import { queueUrlVariable, sqsClient } from './queue.ts';

/** Delays in seconds after the first, second and third failed attempt. */
const WAITS_S = [10, 60, 360] as const;

/**
 * Environment variable of a deployed worker with the URL of its own queue, whose name CloudFormation
 * generates.
 */
export const OWN_QUEUE = 'OWN_QUEUE_URL';

/** A message whose processing failed. */
interface FailedMessage {
  readonly receiptHandle: string;
  readonly tries: number;
}

/**
 * Retries failed messages soon, with growing delays: by default a queue hides them for as long as the slowest
 * worker may take, and most have only met a throttled table. Best effort: messages that are not postponed
 * return then.
 */
export async function postpone(
  worker: string,
  messages: readonly FailedMessage[],
  patienceMs: number,
): Promise<void> {
  try {
    const { sqs } = await sqsClient();
    const { ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
    const QueueUrl = process.env[OWN_QUEUE] ?? requireEnv(queueUrlVariable(worker));
    const abortSignal = AbortSignal.timeout(Math.max(0, patienceMs));
    await Promise.all(
      messages.map(async ({ receiptHandle: ReceiptHandle, tries }) => {
        const VisibilityTimeout = WAITS_S[tries - 1];
        if (VisibilityTimeout === undefined) return;
        const command = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout });
        await sqs.send(command, { abortSignal });
      }),
    );
  } catch {
    // The message returns after the queue's own timeout.
  }
}
