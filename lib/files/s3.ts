import type { S3Client } from '@aws-sdk/client-s3';

let connection: S3Client | undefined;

/** S3 and its commands. Few calls touch files: it is loaded by the first that does, and kept. */
export async function s3Client() {
  const sdk = await import('@aws-sdk/client-s3');
  connection ??= new sdk.S3Client({ forcePathStyle: true });
  return { ...sdk, s3: connection };
}
