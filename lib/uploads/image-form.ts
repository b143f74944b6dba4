import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Actor, requireActive } from '#lib/auth/actor.ts';
import { IMAGE_LIMITS, IMAGE_TYPES } from '#lib/files/images.ts';
import { presignForm } from '#lib/files/links.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Input for an upload form: the type of its one image. */
export const ImageFormInput = z.object({
  type: enumeration('image.type', [IMAGE_TYPES.jpeg, IMAGE_TYPES.png]),
});

/**
 * An upload form: `fields`, then the image as `file`, are posted to `url` as multipart until it expires;
 * `key` then names the image.
 */
export const ImageForm = z.object({
  url: z.string(),
  fields: z.record(z.string(), z.string()),
  key: z.string(),
  expires_at: Timestamp,
});

const FORM_SECONDS = 600;

/**
 * Creates a form that uploads one image to the bucket directly, since ten may not fit into the 6 MB of a
 * Lambda request. The image is stored for a day at a private key. `upload-image` with this key checks it and
 * makes it public.
 */
export async function imageForm(actor: Actor, { type }: z.output<typeof ImageFormInput>, at: Instant) {
  requireActive(actor, at);
  const key = `${incomingFolderOf(actor)}${randomUUID()}`;
  const { kilobytes } = IMAGE_LIMITS;
  const { url, fields } = await presignForm({ key, type, kilobytes, seconds: FORM_SECONDS });
  return { url, fields, key, expires_at: at + FORM_SECONDS * 1000 };
}

/** Returns whether a key was issued to the caller. */
export function isSentBy(actor: Actor, key: string): boolean {
  const own = incomingFolderOf(actor);
  return key.startsWith(own) && z.uuid().safeParse(key.slice(own.length)).success;
}

function incomingFolderOf({ id }: Actor): string {
  return `incoming/user-${id}/`;
}
