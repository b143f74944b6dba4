import { describeFile } from '#lib/files/storage.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { fileKeysIn } from './file-keys.ts';
import type { RawItem } from './raw.ts';

const AT_ONCE = 16;

/** Returns a function that reports the files named by items which have since been deleted from the bucket. */
export function reportMissingFiles(report: (line: string) => void) {
  return async (items: readonly RawItem[]): Promise<void> => {
    const keys = fileKeysIn(items);
    const found = await mapConcurrent(keys, AT_ONCE, describeFile);
    for (const [index, key] of keys.entries()) if (!found[index]) report(`Gone: ${key}`);
  };
}
