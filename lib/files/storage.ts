import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { setting } from '#lib/values/setting.ts';

/** A file to store: its key in the bucket, what it is, and its bytes. */
export interface StoredFile {
  readonly key: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** Held as a key under `public/`, shown as the address anyone can fetch it at. */
export const PublicUrl = z.codec(z.string(), z.string(), {
  decode: (key) => `${setting('FILES_URL')}/${key}`,
  encode: (url) => url.slice(setting('FILES_URL').length + 1),
});

/** Stores files, all at once. A key is never written twice, so a browser may keep what it has for ever. */
export async function storeFiles(files: readonly StoredFile[]): Promise<void> {
  const { s3, PutObjectCommand } = await client();
  await Promise.all(
    files.map(({ key, type, content }) =>
      s3.send(
        new PutObjectCommand({
          Bucket: setting('FILES_BUCKET'),
          Key: key,
          ContentType: type,
          CacheControl: 'public, max-age=31536000, immutable',
          Body: content,
        }),
      ),
    ),
  );
}

/** Removes files; one that is not there is no error. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { s3, DeleteObjectsCommand } = await client();
  await s3.send(
    new DeleteObjectsCommand({
      Bucket: setting('FILES_BUCKET'),
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    }),
  );
}

let connection: S3Client | undefined;

// Few calls touch files: the client is loaded by the first that does, and kept.
async function client() {
  const sdk = await import('@aws-sdk/client-s3');
  connection ??= new sdk.S3Client({ forcePathStyle: true });
  return { ...sdk, s3: connection };
}
