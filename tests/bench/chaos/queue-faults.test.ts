import { randomUUID } from 'node:crypto';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, inject, onTestFinished, test } from 'vitest';
import { type Fault, repeatLater } from '#bench/chaos/fault.ts';
import { startProxy } from '#bench/chaos/proxy.ts';
import { handOverOffline, loseMessage, refuseMessage } from '#bench/chaos/queue-faults.ts';
import { randomFrom } from '#bench/support/random.ts';

async function newQueue(fault: Fault) {
  const endpoint = inject('settings')['AWS_ENDPOINT_URL_SQS'] ?? '';
  const proxy = await startProxy(endpoint);
  onTestFinished(proxy.stop);
  const sqs = new SQSClient({ endpoint });
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: randomUUID() }));
  const through = new SQSClient({ endpoint: proxy.endpoint });
  const rule = proxy.on(({ operation }) => operation === 'SendMessage', fault);
  const send = () => through.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"id":1}' }));
  const receive = async (WaitTimeSeconds: number) =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds }))).Messages ?? [];
  return { proxy, rule, send, receive };
}

test('a message is refused at once: the SDK does not send it again', async () => {
  const { rule, send, receive } = await newQueue(refuseMessage);
  await expect(send()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(rule.count).toBe(1);
  expect(await receive(1)).toEqual([]);
});

test('a message that is late is acknowledged, and comes then', async () => {
  const { send, receive } = await newQueue(handOverOffline(randomFrom(1, 'late')));
  await send();
  expect(await receive(0)).toEqual([]);
  const [first, second] = [await receive(20), await receive(0)];
  expect(first.map(({ Body }) => Body)).toEqual(['{"id":1}']);
  expect(second).toEqual([]);
});

test('a message comes twice', async () => {
  const { proxy, send, receive } = await newQueue(repeatLater(0));
  await send();
  await proxy.idle();
  expect([...(await receive(5)), ...(await receive(5))]).toHaveLength(2);
});

test('a message that is lost is acknowledged as the SDK expects it', async () => {
  const { send, receive } = await newQueue(loseMessage);
  expect(await send()).toMatchObject({ MessageId: expect.any(String) });
  expect(await receive(1)).toEqual([]);
});
