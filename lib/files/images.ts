import { randomUUID } from 'node:crypto';
import type { Sharp } from 'sharp';
import * as z from 'zod';
import { ImageAddresses } from '#lib/values/fields.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { PublicUrl, type StoredFile } from './storage.ts';
import { FileBytes, Upload } from './upload.ts';

/** The limits of an image: 2048 KB, 3840x2160. Part 1, "Limits". */
export const IMAGE_LIMITS = { kilobytes: 2048, width: 3840, height: 2160 };

/** The media types of images. */
export const IMAGE_TYPES = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;

const ENDINGS = { jpeg: 'jpg', png: 'png' } as const;

const SIGNATURES = [
  { format: 'jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { format: 'png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
] as const;

/** Width and height in pixels. */
export type Size = Omit<typeof IMAGE_LIMITS, 'kilobytes'>;

/** One size of an image, in its own format and as webp. */
export const ImageSize = z.object({ name: z.string(), raw: PublicUrl, webp: PublicUrl });

/** An image in most responses: an object of its sizes, null if it has none. */
export const ImageBySize = z
  .array(ImageSize)
  .transform((sizes) =>
    sizes.length === 0 ? null : Object.fromEntries(sizes.map(({ name, raw, webp }) => [name, { raw, webp }])),
  )
  .pipe(ImageAddresses.nullable());

/** A stored image: its sizes, `original` first. */
export type StoredImage = z.input<typeof ImageSize>[];

/**
 * Returns the field schema of an optional image in a form: jpg or png by its bytes, not by its file name. An
 * empty field is absent. 422 with one of the `file.*` messages.
 */
export function imageFile() {
  return Upload.optional()
    .transform((upload) => (upload && upload.content.length > 0 ? upload.content : undefined))
    .superRefine(checkImage);
}

/** Returns the field schema of a required image in a form, with the same errors. */
export function mandatoryImage() {
  return FileBytes.superRefine(checkImage);
}

/**
 * Renders an image for storing: re-encoded, rotated upright, without metadata, in its own size and at the
 * requested widths (never enlarged), each in its own format and as webp. It gets new keys under
 * `public/<folder>/`.
 */
export async function renderImage(
  content: Uint8Array,
  folder: string,
  widths: readonly number[],
): Promise<{ readonly image: StoredImage; readonly files: StoredFile[] }> {
  const format = formatOf(content) ?? 'jpeg';
  const base = `public/${folder}/${randomUUID()}`;
  const upright = (await decoderOf(content)).rotate();
  const sizes = [
    { name: 'original', pixels: upright },
    ...widths.map((width) => ({
      name: `widen_${width}`,
      pixels: upright.clone().resize({ width, withoutEnlargement: true }),
    })),
  ];
  const rendered = await Promise.all(
    sizes.map(async ({ name, pixels }) => ({
      size: {
        name,
        raw: `${base}/${name}.${ENDINGS[format]}`,
        webp: `${base}/${name}.webp`,
      },
      raw: await encodeAs(pixels, format),
      webp: await encodeAs(pixels, 'webp'),
    })),
  );
  return {
    image: rendered.map(({ size }) => size),
    files: rendered.flatMap(({ size, raw, webp }) => [
      { key: size.raw, type: IMAGE_TYPES[format], content: raw },
      { key: size.webp, type: IMAGE_TYPES.webp, content: webp },
    ]),
  };
}

/** Renders a single image, cropped and scaled to a size if one is given. */
export async function renderSingleImage(
  content: Uint8Array,
  folder: string,
  size?: Size,
): Promise<StoredFile> {
  const format = formatOf(content) ?? 'jpeg';
  const upright = (await decoderOf(content)).rotate();
  return {
    key: `public/${folder}/${randomUUID()}.${ENDINGS[format]}`,
    type: IMAGE_TYPES[format],
    content: await encodeAs(size ? upright.resize({ ...size, fit: 'cover' }) : upright, format),
  };
}

/** Returns all keys of an image in the bucket. */
export function keysOf(image: StoredImage): string[] {
  return image.flatMap(({ raw, webp }) => [raw, webp]);
}

/**
 * Opens an image for decoding. Tolerates decoder warnings: some cameras write headers that every viewer
 * accepts. A truncated image fails. Contract 9.134.
 */
async function decoderOf(content: Uint8Array): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(content, { failOn: 'truncated' });
}

function encodeAs(pixels: Sharp, format: keyof typeof IMAGE_TYPES): Promise<Buffer> {
  return pixels.clone().toFormat(format).toBuffer();
}

function formatOf(content: Uint8Array): 'jpeg' | 'png' | undefined {
  return SIGNATURES.find(({ bytes }) => bytes.equals(content.subarray(0, bytes.length)))?.format;
}

/** Validates an image; returns the issue, undefined if there is none. */
export async function imageIssue(content: Uint8Array): Promise<MessageDescriptor | undefined> {
  const { kilobytes, width, height } = IMAGE_LIMITS;
  if (content.length > kilobytes * 1024) return { key: 'file.too_large', with: { max: kilobytes } };
  if (!formatOf(content)) return { key: 'file.not_image' };
  const decoder = await decoderOf(content);
  const header = await ifDecodable(() => decoder.metadata());
  if (!header) return { key: 'file.not_image' };
  // Dimensions of the upright image, as viewers show it. Contract 9.134.
  const { autoOrient: upright } = header;
  if (upright.width > width || upright.height > height)
    return { key: 'file.image_too_large', with: { width, height } };
  // A valid header does not imply valid pixels: only decoding shows.
  const isWhole = await ifDecodable(() => decoder.stats());
  return isWhole ? undefined : { key: 'file.not_image' };
}

async function checkImage(content: Buffer | undefined, context: z.RefinementCtx): Promise<void> {
  const issue = content && content.length > 0 && (await imageIssue(content));
  if (!issue) return;
  const { key, with: params } = issue;
  context.addIssue({ code: 'custom', message: key, ...(params && { params }) });
}

function ifDecodable<T>(read: () => Promise<T>): Promise<T | undefined> {
  return read().catch(() => undefined);
}
