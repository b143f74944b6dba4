import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { discoverWorkers } from '#infra/routes.ts';
import { worker } from '#lib/http/worker.ts';
import { OWN_QUEUE } from '#lib/queues/postpone.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import { requireEnv } from '#lib/values/env.ts';
import { newMessage } from '#tests/support/message.ts';

const sqs = new SQSClient({});

const failing = worker({
  message: z.object({ n: z.int() }),
  run: async () => {
    throw new Error('planted');
  },
});

/** Receives a message from a queue with a stage's visibility timeout, if one has arrived. */
async function take(QueueUrl: string, WaitTimeSeconds = 0) {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds }));
  return Messages[0];
}

test('a message that a worker failed at comes again within seconds, not once its queue shows it', async () => {
  const limits = { QueueName: `failed-${process.pid}`, Attributes: { VisibilityTimeout: '720' } };
  await sqs.send(new CreateQueueCommand(limits));
  const QueueUrl = `${requireEnv('AWS_ENDPOINT_URL_SQS')}/000000000000/${limits.QueueName}`;
  vi.stubEnv(OWN_QUEUE, QueueUrl);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"n":1}' }));
  const first = await take(QueueUrl);
  const [{ Records }, context] = newMessage({ n: 1 });
  const event = { Records: Records.map((each) => ({ ...each, receiptHandle: first?.ReceiptHandle ?? '' })) };
  expect(await failing(event, context)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  expect(await take(QueueUrl)).toBeUndefined();
  expect((await take(QueueUrl, 20))?.MessageId).toBe(first?.MessageId);
  vi.unstubAllEnvs();
});

test('a queue that can’t be asked to postpone a message leaves it failed', async () => {
  const [event, context] = newMessage({ n: 1 });
  expect(await failing(event, context)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
});

test('the queues of the local run hide messages and give dead letters away as those of a stage', async () => {
  for (const { name } of discoverWorkers()) {
    const QueueUrl = requireEnv(queueUrlVariable(name));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({
      VisibilityTimeout: '720',
      RedrivePolicy: expect.stringMatching(`:${name}-dead-letters","maxReceiveCount":5}$`),
    });
  }
});
