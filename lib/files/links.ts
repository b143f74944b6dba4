import { randomUUID } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';
import { s3Client, storePrivateFile } from './storage.ts';

/** Conditions of a presigned form for the bucket: one file at this key, of this type and size. */
export interface FormLimits {
  readonly key: string;
  readonly type: string;
  readonly kilobytes: number;
  readonly seconds: number;
}

/** Returns such a form: its URL, and its fields, which precede the file's own, `file`. */
export async function presignForm({ key, type, kilobytes, seconds }: FormLimits) {
  const [{ s3 }, { createPresignedPost }] = await Promise.all([
    s3Client(),
    import('@aws-sdk/s3-presigned-post'),
  ]);
  return createPresignedPost(s3, {
    Bucket: requireEnv('FILES_BUCKET'),
    Key: key,
    Fields: { 'Content-Type': type },
    Conditions: [['content-length-range', 1, kilobytes * 1024]],
    Expires: seconds,
  });
}

/** Returns a link that downloads a file under this name, valid for `seconds`. */
export async function presignLink(key: string, filename: string, seconds: number): Promise<string> {
  const [{ s3, GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    s3Client(),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const command = new GetObjectCommand({
    Bucket: requireEnv('FILES_BUCKET'),
    Key: key,
    ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
  });
  return getSignedUrl(s3, command, { expiresIn: seconds });
}

/** Limit of a file in a response: Lambda's is 6 MB, of which base64 leaves three quarters. */
export const MAX_INLINE_FILE_BYTES = 4 * 1024 * 1024;

/** Validity of a link to a file. */
export const LINK_SECONDS = 300;

/** A file in a response. */
export interface FileResponse {
  readonly filename: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * Returns a file made for the caller, or a link to it if it is too large for a response. Then it is stored in
 * the bucket under an unguessable key, and deleted after a week.
 */
export async function fileResponse(
  file: FileResponse,
): Promise<FileResponse | { readonly location: string }> {
  const { filename, type, content } = file;
  if (content.length <= MAX_INLINE_FILE_BYTES) return file;
  const key = `exports/${randomUUID()}`;
  await storePrivateFile({ key, type, content });
  return { location: await presignLink(key, filename, LINK_SECONDS) };
}
