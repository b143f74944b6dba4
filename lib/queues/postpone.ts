import { requireEnv } from '#lib/values/env.ts';
import { queueUrlVariable, sqsClient } from './queue.ts';

/** Waits in seconds after the first try that failed, the second and the third. */
const WAITS_S = [10, 60, 360] as const;

/** The setting of a deployed worker with the address of its own queue, whose name CloudFormation makes. */
export const OWN_QUEUE = 'OWN_QUEUE_URL';

/** A message that a worker failed at. */
interface FailedMessage {
  readonly receiptHandle: string;
  readonly tries: number;
}

/**
 * Has messages that a worker failed at come again soon, and later each time: by itself a queue hides them for
 * as long as the slowest worker may take, and most have only met a table that was busy. Nothing depends on
 * it: what is not postponed comes then.
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
    // It comes later.
  }
}
