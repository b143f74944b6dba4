import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { requestContext } from '#lib/table/request-context.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { requireEnv } from '#lib/values/env.ts';
import { giveUpAfter, OF_FILES_MS, PATIENT_MS } from '#lib/values/silence.ts';

let connection: S3Client | undefined;

/**
 * Loads the S3 SDK, once. Few calls use files, so it is loaded by the first one that does. A program has no
 * deadline, and waits longer for a busy bucket.
 */
export async function s3Client() {
  const sdk = await import('@aws-sdk/client-s3');
  const socketTimeout = requestContext().deadline ? OF_FILES_MS : PATIENT_MS;
  connection ??= new sdk.S3Client({ forcePathStyle: true, requestHandler: giveUpAfter(socketTimeout) });
  return { ...sdk, s3: connection };
}

/** A file to store: its key in the bucket, its type, and its bytes. */
export interface StoredFile {
  readonly key: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** A file stored as a key under `public/` and shown as its public URL. */
export const PublicUrl = z.codec(z.string(), z.string(), {
  decode: (key) => `${requireEnv('ADDRESS')}/${key}`,
  encode: (url) => url.slice(requireEnv('ADDRESS').length + 1),
});

/** Stores files, concurrently. A key is never overwritten, so browsers may cache a file forever. */
export async function storeFiles(files: readonly StoredFile[]): Promise<void> {
  await Promise.all(files.map((file) => storeFile(file, 'public, max-age=31536000, immutable')));
}

/** Stores a file for one caller, which must not be cached. */
export async function storePrivateFile(file: StoredFile): Promise<void> {
  await storeFile(file, 'private, no-store');
}

async function storeFile({ key, type, content }: StoredFile, CacheControl: string): Promise<void> {
  const { s3, PutObjectCommand } = await s3Client();
  const file = { Key: key, ContentType: type, CacheControl, Body: content };
  await s3.send(new PutObjectCommand({ Bucket: requireEnv('FILES_BUCKET'), ...file }));
}

/** Returns the type and size of a file; undefined if it is missing. */
export async function describeFile(key: string) {
  const { s3, HeadObjectCommand } = await s3Client();
  const answer = await ifStored(
    inBackground(s3.send(new HeadObjectCommand({ Bucket: requireEnv('FILES_BUCKET'), Key: key }))),
  );
  return answer && { type: answer.ContentType ?? UNKNOWN, bytes: answer.ContentLength ?? 0 };
}

/** Reads a file; undefined if it is missing. */
export async function readFile(key: string): Promise<StoredFile | undefined> {
  const { s3, GetObjectCommand } = await s3Client();
  const answer = await ifStored(
    inBackground(s3.send(new GetObjectCommand({ Bucket: requireEnv('FILES_BUCKET'), Key: key }))),
  );
  const content = await answer?.Body?.transformToByteArray();
  return content && { key, type: answer?.ContentType ?? UNKNOWN, content };
}

/** Removes files; a missing one is no error. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { s3, DeleteObjectsCommand } = await s3Client();
  await s3.send(
    new DeleteObjectsCommand({
      Bucket: requireEnv('FILES_BUCKET'),
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    }),
  );
}

const UNKNOWN = 'application/octet-stream';

// Functions may not list the bucket, so S3 reports a missing file as forbidden.
async function ifStored<T>(answer: Promise<T>): Promise<T | undefined> {
  const { S3ServiceException } = await s3Client();
  try {
    return await answer;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
}
