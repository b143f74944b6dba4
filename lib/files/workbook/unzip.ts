import { createInflateRaw } from 'node:zlib';

/** A file of a zip: where its bytes are, and whether they are deflated. */
interface Entry {
  readonly start: number;
  readonly length: number;
  readonly isDeflated: boolean;
}

const END = 0x0605_4b50;
const CENTRAL = 0x0201_4b50;
const LOCAL = 0x0403_4b50;

/** The end of a directory is the last thing of a zip, but for a comment. */
const FARTHEST_END = 22 + 65_535;

/** A workbook has a dozen files, and some more for each sheet and picture. */
const MOST_FILES = 5000;

/** Bytes that may still be inflated: one budget for all files of a zip, whatever its directory says. */
export interface Budget {
  left: number;
}

/** Lists the files of a zip, by the directory at its end; undefined if it is broken or encrypted. */
export function filesOf(zip: Buffer): ReadonlyMap<string, Entry> | undefined {
  try {
    return directoryOf(zip);
  } catch (error) {
    // An offset leads out of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Inflates a file piece by piece, as UTF-8. Throws if it is broken or beyond the budget. */
export async function* inflatedText(
  zip: Buffer,
  entry: Entry,
  budget: Budget,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of bytesOf(zip, entry)) {
    budget.left -= bytes.length;
    if (budget.left < 0) throw new Error('The workbook is larger than it may be');
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

function bytesOf(
  zip: Buffer,
  { start, length, isDeflated }: Entry,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  const packed = zip.subarray(start, start + length);
  if (!isDeflated) return [packed];
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(packed);
  return inflate;
}

function directoryOf(zip: Buffer): Map<string, Entry> | undefined {
  const end = endOf(zip);
  if (end === undefined) return undefined;
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_FILES) return undefined;
  const files = new Map<string, Entry>();
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(at) !== CENTRAL) return undefined;
    const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
    const length = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const isEncrypted = flags % 2 === 1;
    if (isEncrypted || (method !== 0 && method !== 8) || zip.readUInt32LE(local) !== LOCAL) continue;
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, { start, length, isDeflated: method === 8 });
  }
  return files;
}

function endOf(zip: Buffer): number | undefined {
  const last = zip.length - 22;
  for (let at = last; at >= 0 && at > zip.length - FARTHEST_END; at--) {
    if (zip.readUInt32LE(at) === END) return at;
  }
  return undefined;
}
