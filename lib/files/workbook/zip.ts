import type { Entry } from 'yauzl';

/** A workbook has a dozen files, and some more for each sheet and picture. */
const MAX_FILES = 5000;

/** Limit of inflated bytes of all files of a zip, independent of its directory. */
const MAX_INFLATED = 32 * 1024 * 1024;

/** Opens a zip, and returns a reader of its files, by part name. Throws if it is corrupt. */
export async function unzip(content: Buffer) {
  const { fromBufferPromise, getFileNameLowLevel } = await import('yauzl');
  // Names are only looked up, never used as paths, so those with a leading slash are accepted.
  const zip = await fromBufferPromise(withoutTail(content), { decodeStrings: false });
  if (zip.entryCount > MAX_FILES) throw new Error('The zip has more files than it may');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    entries.set(partName(getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)), entry);
  }
  let left = MAX_INFLATED;

  /**
   * Inflates a file in chunks, as UTF-8. Throws if the file is missing, corrupt, encrypted or beyond the
   * limit.
   */
  return async function* textOf(name: string): AsyncGenerator<string, undefined> {
    const entry = entries.get(partName(name));
    if (!entry) throw new Error(`The zip has no ${name}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      left -= bytes.length;
      if (left < 0) throw new Error('The workbook is larger than it may be');
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  };
}

/** Normalizes a part name for comparison: ignores letter case, a leading slash and escapes. */
function partName(name: string): string {
  return unescapeUri(name.replaceAll('\\', '/')).replace(/^\/+/, '').toLowerCase();
}

function unescapeUri(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The record at the end of a zip: its signature, and its length without the trailing comment. */
const END = { signature: Buffer.from('PK\u0005\u0006', 'latin1'), bytes: 22 };

/** Cuts off trailing bytes after the end of a zip, e.g. the line break of a careless download. */
function withoutTail(content: Buffer): Buffer {
  const end = content.lastIndexOf(END.signature);
  if (end < 0 || end + END.bytes > content.length) return content;
  return content.subarray(0, end + END.bytes + content.readUInt16LE(end + END.bytes - 2));
}
