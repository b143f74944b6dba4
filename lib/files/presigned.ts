import { setting } from '#lib/values/setting.ts';
import { s3Client } from './s3.ts';

/** Conditions of a form that the bucket accepts without us: one file at this key, of this type and size. */
export interface FormLimits {
  readonly key: string;
  readonly type: string;
  readonly kilobytes: number;
  readonly seconds: number;
}

/** Makes such a form: its address, and its fields, which come before the file's own, `file`. */
export async function presignForm({ key, type, kilobytes, seconds }: FormLimits) {
  const [{ s3 }, { createPresignedPost }] = await Promise.all([
    s3Client(),
    import('@aws-sdk/s3-presigned-post'),
  ]);
  return createPresignedPost(s3, {
    Bucket: setting('FILES_BUCKET'),
    Key: key,
    Fields: { 'Content-Type': type },
    Conditions: [['content-length-range', 1, kilobytes * 1024]],
    Expires: seconds,
  });
}

/** Makes a link that saves a file under this name, good for `seconds`. */
export async function presignLink(key: string, filename: string, seconds: number): Promise<string> {
  const [{ s3, GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    s3Client(),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const command = new GetObjectCommand({
    Bucket: setting('FILES_BUCKET'),
    Key: key,
    ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
  });
  return getSignedUrl(s3, command, { expiresIn: seconds });
}
