import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import type { FileReader } from './server.ts';

export interface Emulators {
  readonly endpoint: string;
  readonly queueUrls: Readonly<Record<string, string>>;
  readonly readFile: FileReader;
  stop(): Promise<void>;
}

const SAVE_EVERY_MS = 2000;

const SavedFile = z.object({ type: z.string(), content: z.base64() });

/**
 * Starts the S3 and SQS emulator with the service's bucket and queues. It keeps everything in memory. With a
 * `directory`, the bucket's files are copied there every two seconds and at the end, and back at the next
 * start.
 */
export async function startEmulators(
  bucket: string,
  queues: readonly string[],
  directory: string | undefined,
): Promise<Emulators> {
  // Its own `startFauxqs` listens at every address of the machine, and asks nobody who they are.
  const emulator = buildApp({ logger: false });
  const endpoint = await emulator.listen({ port: 0, host: '127.0.0.1' });
  const s3 = new S3Client({ endpoint, forcePathStyle: true });
  const sqs = new SQSClient({ endpoint });
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await Promise.all(queues.map((QueueName) => sqs.send(new CreateQueueCommand({ QueueName }))));

  const saved = new Set<string>();
  const readFile: FileReader = (key) => readFrom(s3, bucket, key);
  const save = async () => {
    if (directory) await copyOut(s3, { bucket, directory }, saved, readFile);
  };
  if (directory) await copyIn(s3, bucket, directory, saved);
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

async function readFrom(s3: S3Client, Bucket: string, Key: string): ReturnType<FileReader> {
  try {
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const type = ContentType ?? 'application/octet-stream';
    return Body && { type, content: await Body.transformToByteArray() };
  } catch {
    return undefined;
  }
}

async function copyIn(s3: S3Client, bucket: string, directory: string, saved: Set<string>): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(directory.length + 1, -'.json'.length);
    const { type, content } = SavedFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    const file = { ContentType: type, Body: Buffer.from(content, 'base64') };
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, ...file }));
    saved.add(key);
  }
}

async function copyOut(
  s3: S3Client,
  { bucket, directory }: { readonly bucket: string; readonly directory: string },
  saved: Set<string>,
  readFile: FileReader,
): Promise<void> {
  const keys = await keysIn(s3, bucket);
  for (const key of saved) {
    if (keys.has(key)) continue;
    rmSync(fileOf(directory, key), { force: true });
    saved.delete(key);
  }
  for (const key of keys) {
    const file = saved.has(key) ? undefined : await readFile(key);
    if (!file) continue;
    mkdirSync(dirname(fileOf(directory, key)), { recursive: true });
    const content = Buffer.from(file.content).toString('base64');
    writeFileSync(fileOf(directory, key), JSON.stringify({ type: file.type, content }));
    saved.add(key);
  }
}

async function keysIn(s3: S3Client, bucket: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
    for (const { Key } of Contents) if (Key) keys.add(Key);
  }
  return keys;
}

function fileOf(directory: string, key: string): string {
  return `${join(directory, key)}.json`;
}
