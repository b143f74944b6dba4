import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { BUCKET_CORS } from '#infra/cors.ts';
import { HIDDEN_S, MAX_TRIES } from '#infra/queue-limits.ts';
import type { FileReader } from './server.ts';

const SAVE_EVERY_MS = 2000;

const SavedFile = z.object({ type: z.string(), content: z.base64() });

/** Headers that the bucket adds to cross-origin responses, which the emulator lacks. */
const ANY_ORIGIN = {
  'access-control-allow-origin': BUCKET_CORS.allowOrigins.join(', '),
  'access-control-expose-headers': BUCKET_CORS.exposeHeaders.join(', '),
};

const PREFLIGHT = { 'access-control-allow-methods': BUCKET_CORS.allowMethods.join(', ') };

/**
 * Starts the S3 and SQS emulator with the service's bucket and queues, in memory. With a `directory`, the
 * bucket's files are copied there every two seconds and at the end, and back at the next start.
 */
export async function startEmulators(
  bucket: string,
  queues: readonly string[],
  directory: string | undefined,
) {
  // Its own `startFauxqs` listens at every address of the machine, without authentication.
  const emulator = buildApp({ logger: false });
  emulator.addHook('onRequest', async ({ method, headers }, reply) => {
    if (headers.origin === undefined) return;
    reply.headers(ANY_ORIGIN);
    if (method !== 'OPTIONS') return;
    const requested = headers['access-control-request-headers'] ?? '';
    await reply
      .headers({ ...PREFLIGHT, 'access-control-allow-headers': requested })
      .code(200)
      .send();
  });
  const endpoint = await emulator.listen({ port: 0, host: '127.0.0.1' });
  const s3 = new S3Client({ endpoint, forcePathStyle: true });
  const sqs = new SQSClient({ endpoint });
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await Promise.all(queues.map((queue) => makeQueues(sqs, queue)));

  const readFile: FileReader = (key) => readFrom(s3, bucket, key);
  const save = async () => {
    if (directory) await copyOut(s3, bucket, directory, readFile);
  };
  if (directory) await copyIn(s3, bucket, directory);
  const timer = setInterval(() => void save().catch(() => {}), SAVE_EVERY_MS);

  return {
    endpoint,
    queueUrls: Object.fromEntries(queues.map((queue) => [queue, `${endpoint}/000000000000/${queue}`])),
    readFile,
    stop: async () => {
      clearInterval(timer);
      await save();
      await emulator.close();
    },
  };
}

/** Creates a worker's queue and its dead-letter queue, with the limits of a stage. */
async function makeQueues(sqs: SQSClient, QueueName: string): Promise<void> {
  const letters = await sqs.send(new CreateQueueCommand({ QueueName: `${QueueName}-dead-letters` }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: letters.QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const policy = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: MAX_TRIES };
  const limits = { VisibilityTimeout: String(HIDDEN_S), RedrivePolicy: JSON.stringify(policy) };
  await sqs.send(new CreateQueueCommand({ QueueName, Attributes: limits }));
}

async function readFrom(s3: S3Client, Bucket: string, Key: string): ReturnType<FileReader> {
  try {
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const type = ContentType ?? 'application/octet-stream';
    return Body && { type, content: await Body.transformToByteArray() };
  } catch {
    return undefined;
  }
}

async function copyIn(s3: S3Client, Bucket: string, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) {
    const { type, content } = SavedFile.parse(JSON.parse(readFileSync(join(directory, name), 'utf8')));
    const file = { Key: decodeURIComponent(name), ContentType: type, Body: Buffer.from(content, 'base64') };
    await s3.send(new PutObjectCommand({ Bucket, ...file }));
  }
}

/** Copies new files to the directory under their keys, and removes deleted ones. */
async function copyOut(s3: S3Client, Bucket: string, directory: string, readFile: FileReader): Promise<void> {
  const gone = new Set(readdirSync(directory));
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
    for (const { Key = '' } of Contents) {
      const name = encodeURIComponent(Key);
      const file = gone.delete(name) ? undefined : await readFile(Key);
      const content = file && Buffer.from(file.content).toString('base64');
      if (file) writeFileSync(join(directory, name), JSON.stringify({ type: file.type, content }));
    }
  }
  for (const name of gone) rmSync(join(directory, name));
}
