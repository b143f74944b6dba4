import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { WorkerFile } from '#infra/routes.ts';
import { loadWorker } from '#infra/worker-functions.ts';
import type { Worker } from '#lib/http/worker.ts';
import { INDEX_WORKER } from '#lib/queues/queue.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { runAs } from './calls.ts';
import type { LocalClock } from './clock.ts';
import { contextOf, WORK_TIME_MS } from './event.ts';

/**
 * Passes messages from the queues to their workers, as Lambda's event source mappings do, until the signal.
 */
export async function runWorkers(
  files: readonly WorkerFile[],
  queueUrls: Readonly<Record<string, string>>,
  clock: LocalClock,
  signal: AbortSignal,
): Promise<void> {
  const sqs = new SQSClient({});
  await Promise.all(
    files.map(async (file) => {
      const handler = await loadWorker(file);
      await poll({ sqs, QueueUrl: queueUrls[file.name] ?? '', handler, clock }, signal);
    }),
  );
}

/** A queue with its worker. */
interface Work {
  readonly sqs: SQSClient;
  readonly QueueUrl: string;
  readonly handler: Worker;
  readonly clock: LocalClock;
}

/** Receives messages as long as executions are free: as many as are reserved for the worker, else one. */
async function poll(work: Work, signal: AbortSignal): Promise<void> {
  const { reserved = 1 } = work.handler.metadata;
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    try {
      const messages = await receive(work, signal);
      if (messages.length === 0) continue;
      const execution = inBackground(deliver(work, messages).finally(() => running.delete(execution)));
      running.add(execution);
      while (running.size >= reserved) await Promise.race(running);
    } catch {
      if (!signal.aborted) await pause(1000);
    }
  }
  await Promise.allSettled(running);
}

/** Most messages that a queue returns at a time. */
const MAX_HANDED_OUT = 10;

/** Receives up to a worker's batch of available messages; waits for the first. */
async function receive({ sqs, QueueUrl, handler }: Work, signal: AbortSignal): Promise<Message[]> {
  const { batch = MAX_HANDED_OUT } = handler.metadata;
  const taken: Message[] = [];
  for (let isMore = true; isMore && taken.length < batch; ) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(MAX_HANDED_OUT, batch - taken.length),
        WaitTimeSeconds: taken.length === 0 ? 10 : 0,
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
      }),
      { abortSignal: signal },
    );
    taken.push(...Messages);
    isMore = Messages.length === MAX_HANDED_OUT;
  }
  return taken;
}

async function deliver({ sqs, QueueUrl, handler, clock }: Work, messages: Message[]) {
  const accepted = messages.filter((message) => !isLeftOut(QueueUrl, message));
  const event: SQSEvent = { Records: accepted.map((message) => recordOf(message, QueueUrl)) };
  const context = { ...contextOf(QueueUrl, randomUUID(), WORK_TIME_MS), now: clock.now };
  const { batchItemFailures } = await runAs(`worker ${QueueUrl.split('/').at(-1)}`, () =>
    handler(event, context),
  );
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const done = messages.filter(({ MessageId }) => MessageId === undefined || !failed.has(MessageId));
  await Promise.all(
    done.map(({ ReceiptHandle }) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))),
  );
}

const OfHome = z.object({ home: z.string() });

/**
 * Returns whether this run ignores a message, as tests do: lists of a family's few records are correct, and
 * as fast, without indexes. The platform's, with a user or two of each test, are not.
 */
function isLeftOut(queueUrl: string, { Body }: Message): boolean {
  if (!process.env['WITHOUT_INDEXING'] || !queueUrl.endsWith(`/${INDEX_WORKER}`)) return false;
  return OfHome.parse(JSON.parse(Body ?? '')).home !== PLATFORM;
}

function recordOf({ MessageId, ReceiptHandle, Body, Attributes }: Message, queueUrl: string): SQSRecord {
  return {
    messageId: MessageId ?? '',
    receiptHandle: ReceiptHandle ?? '',
    body: Body ?? '',
    attributes: {
      ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
      SentTimestamp: Attributes?.SentTimestamp ?? String(Date.now()),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(Date.now()),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queueUrl.split('/').at(-1)}`,
    awsRegion: 'us-east-1',
  };
}
