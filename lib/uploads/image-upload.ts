import * as z from 'zod';
import { type Actor, requireActive } from '#lib/auth/actor.ts';
import { IMAGE_LIMITS, imageIssue, mandatoryImage, renderSingleImage, type Size } from '#lib/files/images.ts';
import { PublicUrl, readFile, storeFiles } from '#lib/files/storage.ts';
import { lineOfText } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { isSentBy } from './image-form.ts';

const MAX_IMAGES = 10;

const ImageSize = z
  .string()
  .regex(/^[0-9]{1,5}x[0-9]{1,5}$/)
  .transform((text, context): Size => {
    const [width = 0, height = 0] = text.split('x').map(Number);
    const { width: widest, height: highest } = IMAGE_LIMITS;
    if (width >= 1 && height >= 1 && width <= widest && height <= highest) return { width, height };
    const params = { width: widest, height: highest };
    context.addIssue({ code: 'custom', message: 'file.wrong_size', params });
    return z.NEVER;
  });

/**
 * Input for an upload: `images` in the form itself, `keys` of images sent by an `ImageForm` before, or both,
 * ten in all. Part 1, "Shared helper methods".
 */
export const ImageUpload = z
  .object({
    images: z.array(mandatoryImage()).min(1).max(MAX_IMAGES).optional(),
    keys: z.array(lineOfText(255)).min(1).max(MAX_IMAGES).optional(),
    folder: z
      .string()
      .max(50)
      .regex(/^[A-Za-z0-9_-]+$/)
      .optional()
      .transform((folder) => folder ?? 'uploads'),
    size: ImageSize.optional(),
  })
  .superRefine(({ images = [], keys = [] }, context) => {
    const count = images.length + keys.length;
    const issue = (message: string, params = {}) =>
      context.addIssue({ code: 'custom', path: ['images'], message, params });
    if (count === 0) issue('validation.required');
    if (count > MAX_IMAGES) issue('validation.too_many_items', { max: MAX_IMAGES });
  });

/** Addresses of the images, in the order of upload. */
export const UploadedImages = z.object({ files: z.array(PublicUrl) });

/** Stores images, each re-encoded and at the requested size. 422 on `keys.<index>` as on `images.<index>`. */
export async function uploadImages(actor: Actor, input: z.output<typeof ImageUpload>, at: Instant) {
  requireActive(actor, at);
  const { images = [], keys = [], folder, size } = input;
  const all = [...images, ...(await readSent(actor, keys))];
  const files = await Promise.all(all.map((content) => renderSingleImage(content, folder, size)));
  await storeFiles(files);
  return { files: files.map(({ key }) => key) };
}

async function readSent(actor: Actor, keys: readonly string[]): Promise<Uint8Array[]> {
  const files = await Promise.all(keys.map((key) => (isSentBy(actor, key) ? readFile(key) : undefined)));
  const found = await Promise.all(
    files.map((file) => (file ? imageIssue(file.content) : ('validation.not_found' as const))),
  );
  const issues = new ValidationIssues();
  for (const [index, issue] of found.entries()) {
    if (issue) issues.add(`keys.${index}`, issue);
  }
  issues.throwIfAny();
  return files.flatMap((file) => file?.content ?? []);
}
