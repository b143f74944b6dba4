import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Compresses a value whose parts are never queried, for storage in one attribute. */
export function pack(value: unknown): Buffer<ArrayBuffer> {
  return deflateRawSync(JSON.stringify(value));
}

/** Decompresses a value. */
export function unpack(packed: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(packed).toString());
}
