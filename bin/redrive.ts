import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  paginateListQueues,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { functionPrefix } from '#infra/function-name.ts';
import { discoverWorkers } from '#infra/routes.ts';
import { main, print, requireOption, TEXT, UsageError } from './cli/main.ts';

/* Returns dead letters of a stage's workers to their queues, once the cause is fixed. */

const NAMES = discoverWorkers().map(({ name }) => name);

const USAGE = `npm run redrive -- --stage <name> [--worker <name>]\nWorkers are ${NAMES.join(', ')}.`;

/** A worker's queue, with its dead-letter queue. */
type DeadLetterQueue = Awaited<ReturnType<typeof readDeadLetterQueues>>[number];

const Waiting = z.object({
  ApproximateNumberOfMessages: z.coerce.number(),
  ApproximateNumberOfMessagesNotVisible: z.coerce.number(),
});

const RedrivePolicy = z.object({ deadLetterTargetArn: z.string() });

/** Long polling queries all of SQS's servers: no message means that the queue is empty. */
const WAIT_S = 1;

/** Visibility timeout: enough to return ten messages. Those taken by an interrupted run reappear after it. */
const TAKEN_S = 10;

// Emulators name queues without a valid address.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

await main(USAGE, { options: { stage: TEXT, worker: TEXT } }, async ({ values }) => {
  const { worker } = values;
  const stage = requireOption(values.stage, 'Which stage?');
  if (worker !== undefined && !NAMES.includes(worker)) throw new UsageError(`There is no worker ${worker}.`);
  const queues = await readDeadLetterQueues(stage, worker === undefined ? NAMES : [worker]);
  if (queues.length === 0)
    throw new Error(`The stage ${stage} has no such queue. Is this its account and region?`);
  for (const queue of queues) {
    const count = await returnMessages(queue);
    if (count > 0 || worker) print(`${queue.worker}: ${count} messages were given back.`);
  }
  print(`${queues.length} dead-letter queues are empty.`);
});

/** Finds the queues of a stage's workers. CloudFormation has generated their names from CDK's. */
async function readDeadLetterQueues(stage: string, workers: readonly string[]) {
  const prefix = functionPrefix({ name: stage });
  const urls: string[] = [];
  for await (const page of paginateListQueues({ client: sqs, pageSize: 1000 }, { QueueNamePrefix: prefix })) {
    urls.push(...(page.QueueUrls ?? []));
  }
  const found = workers.map(async (worker) => {
    const name = new RegExp(`/${prefix}Queues${worker.replaceAll('-', '')}[0-9A-F]{8}-[^/]*$`);
    const queueUrl = urls.find((url) => name.test(url));
    const deadLetters = queueUrl && (await deadLettersOf(queueUrl));
    const deadLettersUrl = urls.find((url) => url.endsWith(`/${deadLetters}`));
    return queueUrl && deadLettersUrl ? [{ worker, queueUrl, deadLettersUrl }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the name of a queue's dead-letter queue. */
async function deadLettersOf(QueueUrl: string): Promise<string | undefined> {
  const attributes = await attributesOf(QueueUrl);
  const policy = RedrivePolicy.safeParse(JSON.parse(attributes['RedrivePolicy'] ?? 'null'));
  return policy.data?.deadLetterTargetArn.split(':').at(-1);
}

/**
 * Returns all dead letters to a worker; returns how many. A message is sent before it is deleted: an
 * interruption in between duplicates it, which workers tolerate.
 */
async function returnMessages({ queueUrl, deadLettersUrl }: DeadLetterQueue): Promise<number> {
  let count = 0;
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadLettersUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: TAKEN_S,
        WaitTimeSeconds: WAIT_S,
      }),
    );
    if (Messages.length === 0 && (await isEmpty(deadLettersUrl))) return count;
    await Promise.all(
      Messages.map(async ({ Body, ReceiptHandle }) => {
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: Body }));
        await sqs.send(new DeleteMessageCommand({ QueueUrl: deadLettersUrl, ReceiptHandle }));
      }),
    );
    count += Messages.length;
  }
}

/** Returns whether a queue has no message, in flight ones included. */
async function isEmpty(QueueUrl: string): Promise<boolean> {
  return Object.values(Waiting.parse(await attributesOf(QueueUrl))).every((count) => count === 0);
}

async function attributesOf(QueueUrl: string): Promise<Readonly<Record<string, string>>> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  return (await sqs.send(command)).Attributes ?? {};
}
