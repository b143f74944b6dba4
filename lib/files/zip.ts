import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** A file of a zip: its name, and its text in parts, which are packed as they come. */
export interface ZipEntry {
  readonly name: string;
  readonly parts: AsyncIterable<string> | Iterable<string>;
}

const OPTIONS = {
  // The better levels take twice the time for a tenth of the size.
  compressionLevel: 4,
  // Before 1980 zips have no dates: the same texts make the same bytes.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
};

/** Makes a zip of some files. Memory holds only what is packed already. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  zip.on('error', (error) => packed.destroy(error));
  for (const { name, parts } of entries) {
    zip.addReadStream(Readable.from(parts), name, OPTIONS);
  }
  zip.end();
  const packed = new PassThrough();
  const [content] = await Promise.all([buffer(packed), pipeline(zip.outputStream, packed)]);
  return new Uint8Array(content);
}
