import { enqueue } from '#lib/queues/queue.ts';
import { keysOf, renderImage, type StoredImage } from './images.ts';
import { PublicUrl, storeFiles } from './storage.ts';

/** Renders an image at the requested widths and stores all its sizes. */
export async function storeImage(
  content: Uint8Array,
  folder: string,
  widths: readonly number[],
): Promise<StoredImage> {
  const { image, files } = await renderImage(content, folder, widths);
  await storeFiles(files);
  return image;
}

/** Runs the change that an image was stored for, and discards the image if the change fails. */
export async function discardFilesOnFailure<T>(image: StoredImage, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    await discardFiles(keysOf(image));
    throw error;
  }
}

/** Enqueues unreferenced files for the worker `discard-files`, which removes them. */
export async function discardFiles(keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await enqueue('discard-files', { keys });
}

/** Returns true if a list of keys or URLs contains any size of an image. */
export function isImageReferenced(image: StoredImage, names: readonly string[]): boolean {
  return keysOf(image).some((key) => names.includes(key) || names.includes(PublicUrl.decode(key)));
}
