import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

/** Creates a worker's two queues under names like CloudFormation's. */
export async function newQueues(stage: string, worker: string, messages: readonly string[]) {
  const name = `retail-${stage}-Queues${worker}`;
  const deadLetters = await newQueue(`${name}deadletters03392FA0-h4BnO2`, {});
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  );
  const RedrivePolicy = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: 5 };
  const queue = await newQueue(`${name}5BF91111-p1XqZ9`, { RedrivePolicy: JSON.stringify(RedrivePolicy) });
  for (const MessageBody of messages) {
    await sqs.send(new SendMessageCommand({ QueueUrl: deadLetters, MessageBody }));
  }
  return { queue, deadLetters };
}

async function newQueue(QueueName: string, Attributes: Record<string, string>): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl;
}

/** Receives the messages of a queue. */
export async function waitingIn(QueueUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 60 }),
    );
    if (Messages.length === 0) return bodies.sort();
    bodies.push(...Messages.map(({ Body = '' }) => Body));
  }
}
