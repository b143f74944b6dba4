import type { Entry } from 'yauzl';

/** A workbook has a dozen files, and some more for each sheet and picture. */
const MOST_FILES = 5000;

/** Bytes that the files of a zip may be inflated to, all together, whatever its directory says. */
const MOST_INFLATED = 32 * 1024 * 1024;

/** Opens a zip, and answers with a reader of its files, by name. Throws if it is broken. */
export async function unzip(content: Buffer) {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(content);
  if (zip.entryCount > MOST_FILES) throw new Error('The zip has more files than it may');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  let left = MOST_INFLATED;

  /** Inflates a file piece by piece, as UTF-8. Throws if it is broken, encrypted or beyond the budget. */
  return async function* textOf(name: string): AsyncGenerator<string, undefined> {
    const entry = entries.get(name);
    if (!entry) return;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      left -= bytes.length;
      if (left < 0) throw new Error('The workbook is larger than it may be');
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  };
}
