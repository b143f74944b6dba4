import { createHmac, hash } from 'node:crypto';

/**
 * SHA-256, by which the SDK signs. Its own makes three objects of OpenSSL for each request; Node hashes
 * a text in one call.
 */
export class Sha256 {
  readonly #secret: string | Uint8Array | undefined;
  #text: Uint8Array = new Uint8Array();

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret);
  }

  update(chunk: Uint8Array): void {
    this.#text = this.#text.length === 0 ? chunk : Buffer.concat([this.#text, chunk]);
  }

  async digest(): Promise<Uint8Array> {
    if (this.#secret === undefined) return hash('sha256', this.#text, 'buffer');
    return createHmac('sha256', this.#secret).update(this.#text).digest();
  }

  reset(): void {
    this.#text = new Uint8Array();
  }
}

function bytesOf(source: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
