import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Twelve minutes in a deployment: a run would end with waiting for messages taken by dead workers. */
const HIDDEN_S = 30;

/** Sets a short visibility timeout, so that a dead worker's messages are soon delivered again. */
export async function hideBriefly(queueUrls: Readonly<Record<string, string>>): Promise<void> {
  const sqs = new SQSClient({});
  const Attributes = { VisibilityTimeout: String(HIDDEN_S) };
  await Promise.all(
    Object.values(queueUrls).map((QueueUrl) =>
      sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes })),
    ),
  );
  sqs.destroy();
}
