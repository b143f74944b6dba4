import type { S3Client } from '@aws-sdk/client-s3';

let connection: S3Client | undefined;

/** Loads S3 and its commands, once. Few calls touch files: the first that does loads it. */
export async function s3Client() {
  const sdk = await import('@aws-sdk/client-s3');
  connection ??= new sdk.S3Client({ forcePathStyle: true });
  return { ...sdk, s3: connection };
}
