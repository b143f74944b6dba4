import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { STREAM_CONSUMER } from '#infra/routes.ts';
import type { StreamConsumer } from '#lib/http/stream-consumer.ts';
import { requireEnv } from '#lib/values/env.ts';
import { runAs } from './calls.ts';
import type { LocalClock } from './clock.ts';
import { askStreams } from './database/stream-call.ts';
import { contextOf, WORK_TIME_MS } from './event.ts';

/*
 * Passes the table's changes to the stream consumer, as Lambda's event source mapping does. The engines of
 * the local table have streams of their own. They are called over HTTP, as the responses are then the very
 * records that Lambda passes, bytes and numbers as text; no engine checks a signature.
 */

/** Pause between batches: without it the stream would slow down tests. */
const QUIET_MS = 500;

/** Records of a batch, as in the deployment. */
const BATCH = 500;

const Described = z.object({
  StreamDescription: z.object({
    Shards: z.array(z.object({ ShardId: z.string() })),
  }),
});
const Streams = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })) });
const Iterator = z.object({ ShardIterator: z.string() });
const Answer = z.object({
  Records: z.array(z.custom<DynamoDBRecord>((record) => typeof record === 'object')),
  NextShardIterator: z.string().optional(),
});

/** Progress in each shard: the last sequence number, or its end. */
type ShardProgress = Map<string, { readonly number?: string; readonly isOver?: true }>;

/** A consumer, and its clock. */
interface Consumption {
  readonly handler: StreamConsumer;
  readonly clock: LocalClock;
  readonly signal: AbortSignal;
}

/** Passes every change of the table to the consumer until the signal, from the oldest retained on. */
export async function runStream(
  handler: StreamConsumer,
  clock: LocalClock,
  signal: AbortSignal,
): Promise<void> {
  const reached: ShardProgress = new Map();
  const following = { handler, clock, signal };
  while (!signal.aborted) {
    try {
      const { Streams: streams } = Streams.parse(
        await ask('ListStreams', { TableName: requireEnv('TABLE_NAME') }),
      );
      for (const { StreamArn } of streams) await readStream(StreamArn, reached, following);
    } catch {
      // The database is stopping, or a call failed: continues after the last consumed record.
    }
    await rest(signal);
  }
}

/** Reads the shards of a stream that are not finished, parents before children. */
async function readStream(StreamArn: string, reached: ShardProgress, following: Consumption): Promise<void> {
  const { handler, signal } = following;
  const { StreamDescription } = Described.parse(await ask('DescribeStream', { StreamArn }));
  for (const { ShardId } of StreamDescription.Shards) {
    const { number, isOver } = reached.get(ShardId) ?? {};
    if (isOver) continue;
    const from =
      number === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: number };
    for await (const records of batchesOf({ StreamArn, ShardId, ...from }, signal)) {
      await deliver(
        records.filter((record) => isFollowed(record, handler.metadata.keys)),
        following,
      );
      const last = records.at(-1)?.dynamodb?.SequenceNumber;
      if (last !== undefined && !signal.aborted) reached.set(ShardId, { number: last });
    }
    if (!signal.aborted) reached.set(ShardId, { isOver: true });
  }
}

/** Reads a shard until it is closed, which takes some hours. */
async function* batchesOf(from: object, signal: AbortSignal): AsyncGenerator<DynamoDBRecord[], undefined> {
  let next: string | undefined = Iterator.parse(await ask('GetShardIterator', from)).ShardIterator;
  while (next !== undefined && !signal.aborted) {
    const answer: z.output<typeof Answer> = Answer.parse(
      await ask('GetRecords', { ShardIterator: next, Limit: BATCH }),
    );
    yield answer.Records;
    next = answer.NextShardIterator;
    if (answer.Records.length < BATCH) await rest(signal);
  }
}

/** Passes a batch until it is consumed. */
async function deliver(
  records: DynamoDBRecord[],
  { handler, clock: { now }, signal }: Consumption,
): Promise<void> {
  if (records.length === 0) return;
  for (let isDone = false; !isDone && !signal.aborted; ) {
    isDone = await runAs(`follower ${STREAM_CONSUMER.name}`, () =>
      handler({ Records: records }, { ...contextOf(STREAM_CONSUMER.name, randomUUID(), WORK_TIME_MS), now }),
    ).then(
      () => true,
      () => false,
    );
    if (!isDone) await rest(signal);
  }
}

async function rest(signal: AbortSignal): Promise<void> {
  await pause(QUIET_MS, undefined, { signal }).catch(() => undefined);
}

/** Filters by keys, as the filter of the deployment does. */
function isFollowed(
  { dynamodb: { Keys } = {} }: DynamoDBRecord,
  keys: StreamConsumer['metadata']['keys'],
): boolean {
  const begins = (name: 'pk' | 'sk') => keys[name].some((prefix) => Keys?.[name]?.S?.startsWith(prefix));
  return begins('pk') && begins('sk');
}

function ask(operation: string, body: object): Promise<unknown> {
  return askStreams(requireEnv('AWS_ENDPOINT_URL_DYNAMODB'), operation, body);
}
