import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

/** In a deployment it is twelve minutes: a run would end with waiting for what a dead worker had taken. */
const HIDDEN_S = 30;

/** Has what a worker took with it come again soon. */
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
