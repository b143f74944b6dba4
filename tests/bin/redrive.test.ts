import { randomBytes } from 'node:crypto';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { runProgram } from '#tests/kit/program.ts';

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

/** Makes a worker's two queues under such names as CloudFormation makes. */
async function newQueues(stage: string, worker: string, messages: readonly string[]) {
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

async function waitingIn(QueueUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 60 }),
    );
    if (Messages.length === 0) return bodies.sort();
    bodies.push(...Messages.map(({ Body = '' }) => Body));
  }
}

const newStage = () => `s${randomBytes(4).toString('hex')}`;
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n}}`).sort();

test('what a worker failed at is given back to it, and to no other stage', async () => {
  const [stage, other] = [newStage(), newStage()];
  const lists = await newQueues(stage, 'indexlists', numbered(23));
  const units = await newQueues(stage, 'copyunit', ['{"unit":1}']);
  const others = await newQueues(other, 'indexlists', ['{"other":1}']);
  const { code, stdout } = await runProgram('redrive', ['--stage', stage]);
  expect(stdout).toContain('index-lists: 23 messages were given back.');
  expect(stdout).toContain('copy-unit: 1 messages were given back.');
  expect(code).toBe(0);
  expect(await waitingIn(lists.queue)).toEqual(numbered(23));
  expect(await waitingIn(lists.deadLetters)).toEqual([]);
  expect(await waitingIn(units.queue)).toEqual(['{"unit":1}']);
  expect(await waitingIn(others.queue)).toEqual([]);
  expect(await waitingIn(others.deadLetters)).toEqual(['{"other":1}']);
});

test('one worker can be named, and the others keep their dead letters', async () => {
  const stage = newStage();
  const lists = await newQueues(stage, 'indexlists', ['1']);
  const units = await newQueues(stage, 'copyunit', ['2']);
  const { code, stdout } = await runProgram('redrive', ['--stage', stage, '--worker', 'copy-unit']);
  expect([code, stdout]).toEqual([
    0,
    'copy-unit: 1 messages were given back.\n1 dead-letter queues are empty.\n',
  ]);
  expect(await waitingIn(lists.deadLetters)).toEqual(['1']);
  expect(await waitingIn(units.queue)).toEqual(['2']);
});

test('a worker or a stage that does not exist is told, and nothing is done', async () => {
  const unknown = await runProgram('redrive', ['--stage', 'dev', '--worker', 'nobody']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('index-lists');
  const elsewhere = await runProgram('redrive', ['--stage', newStage()]);
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.stderr).toContain('has no such queue');
});
