import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { s3Client } from '#lib/files/storage.ts';
import { sqsClient } from '#lib/queues/queue.ts';
import { dynamo } from '#lib/table/client.ts';

/* Records the AWS calls of each function, to check that its role allows them. */

/** A call in terms of IAM. */
interface IamCall {
  /** By IAM's name: `dynamodb:PutItem`. */
  readonly action: string;
  /** The table's name, the queue's, or a bucket with the folder of a file. */
  readonly resource: string;
  /** The transaction around it. */
  readonly within?: string;
  /** Kind of partition: the prefix of its key. */
  readonly partition?: string;
}

const running = new AsyncLocalStorage<string>();

/** Runs a function's work under its name, to which its calls are attributed. */
export function runAs<T>(name: string, work: () => T): T {
  return running.run(name, work);
}

/** Appends each distinct call of a function to the file once. */
export async function recordCalls(file: string): Promise<void> {
  const known = new Set<string>();
  mkdirSync(dirname(file), { recursive: true });
  const append = (calls: readonly IamCall[]) => {
    const name = running.getStore();
    if (name === undefined) return;
    const lines = calls.map((each) => `${JSON.stringify({ function: name, ...each })}\n`);
    const fresh = new Set(lines.filter((line) => !known.has(line)));
    for (const line of fresh) known.add(line);
    if (fresh.size > 0) appendFileSync(file, [...fresh].join(''));
  };
  const appending =
    (callsIn: (operation: string, input: unknown) => readonly IamCall[]) =>
    <A extends { readonly input: object }, R>(
      next: (args: A) => Promise<R>,
      { commandName = '' }: { readonly commandName?: string },
    ) =>
    (args: A): Promise<R> => {
      append(callsIn(commandName.replace(/Command$/, ''), args.input));
      return next(args);
    };
  const [{ s3 }, { sqs }] = await Promise.all([s3Client(), sqsClient()]);
  const options = { step: 'initialize', name: 'calls' } as const;
  dynamo.middlewareStack.add(appending(callsOnTable), options);
  s3.middlewareStack.add(appending(callsOnFiles), options);
  sqs.middlewareStack.add(appending(callsOnQueue), options);
}

const Key = z.object({ pk: z.string() });

/** A command on one item, or the query of one partition. */
const OnPartition = z.object({
  TableName: z.string(),
  Key: Key.optional(),
  Item: Key.optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()).optional(),
});

const OnMany = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Key) })) });

const Transaction = z.object({
  TransactItems: z.array(
    z.partialRecord(z.enum(['Get', 'Put', 'Update', 'Delete', 'ConditionCheck']), OnPartition),
  ),
});

function callsOnTable(operation: string, input: unknown): IamCall[] {
  if (operation.startsWith('Transact')) {
    const writes = Transaction.parse(input).TransactItems.flatMap((item) => Object.entries(item));
    return writes.map(([action, write]) => ({ ...callOn(`${action}Item`, write), within: operation }));
  }
  if (operation.startsWith('Batch')) {
    return Object.entries(OnMany.parse(input).RequestItems).flatMap(([TableName, { Keys }]) =>
      Keys.map((key) => callOn(operation, { TableName, Key: key })),
    );
  }
  return [callOn(operation, OnPartition.parse(input))];
}

function callOn(operation: string, { TableName, ...input }: z.output<typeof OnPartition>): IamCall {
  const { Key, Item, KeyConditionExpression = '', ExpressionAttributeValues = {} } = input;
  const [, placeholder = ''] = /= (:\w+)/.exec(KeyConditionExpression) ?? [];
  const pk = z.string().parse((Key ?? Item)?.pk ?? ExpressionAttributeValues[placeholder]);
  return { action: `dynamodb:${operation}`, resource: TableName, partition: pk.split('#')[0] ?? '' };
}

const OnFiles = z.object({
  Bucket: z.string(),
  Key: z.string().optional(),
  Delete: z.object({ Objects: z.array(z.object({ Key: z.string() })) }).optional(),
});

/** Operations with another name in IAM. */
const ACTIONS: Readonly<Record<string, string>> = { HeadObject: 'GetObject', DeleteObjects: 'DeleteObject' };

function callsOnFiles(operation: string, input: unknown): IamCall[] {
  const { Bucket, Key: own, Delete } = OnFiles.parse(input);
  const keys = own === undefined ? (Delete?.Objects ?? []).map((each) => each.Key) : [own];
  const action = `s3:${ACTIONS[operation] ?? operation}`;
  return keys.map((key) => ({ action, resource: `${Bucket}/${key.split('/')[0]}/file` }));
}

const OnQueue = z.object({ QueueUrl: z.string() });

function callsOnQueue(operation: string, input: unknown): IamCall[] {
  const { QueueUrl } = OnQueue.parse(input);
  return [{ action: `sqs:${operation}`, resource: QueueUrl.split('/').at(-1) ?? '' }];
}
