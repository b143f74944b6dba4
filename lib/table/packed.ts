import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Packs a value that nothing asks for by its parts into few bytes of one attribute. */
export function pack(value: unknown): Buffer<ArrayBuffer> {
  return deflateRawSync(JSON.stringify(value));
}

/** Gives the value that was packed. */
export function unpack(packed: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(packed).toString());
}
