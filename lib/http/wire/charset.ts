import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, invalid } from '#lib/values/api-error.ts';

/** Labels that `TextDecoder` takes for Latin, although pure ASCII is also valid UTF-8. */
const ASCII = /^(us-)?ascii$/i;

/** Charsets of requests. Contract 9.128. */
const SUPPORTED = ['utf-8', 'windows-1251'];

/** The replacement character of undecodable bytes. */
const REPLACEMENT = '\ufffd';

/** Returns a 415: an unsupported content type, charset or content encoding. */
export function refuseMedia(): ApiError {
  return new ApiError(415, { key: 'http.unsupported_media' });
}

/** Returns the charset of a content type, UTF-8 by default. 415 for an unsupported one. */
export function charsetOf(contentType: string | undefined, otherwise = 'utf-8'): string {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType ?? '') ?? [];
  const label = quoted ?? plain;
  if (label === undefined) return otherwise;
  const charset = ASCII.test(label) ? 'utf-8' : encodingOf(label);
  if (charset === undefined || !SUPPORTED.includes(charset)) throw refuseMedia();
  return charset;
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Decodes a text, without a byte order mark. Undefined if its bytes are invalid in the charset. */
export function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the raw bytes of a body. */
export function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Decodes a text body. 415 for an unsupported charset, 422 for bytes that are invalid in it. If the body
 * arrives as text, the gateway may have replaced them already.
 */
export function bodyText(event: APIGatewayProxyEventV2): string {
  const charset = charsetOf(event.headers['content-type']);
  const isLost = !event.isBase64Encoded && event.body?.includes(REPLACEMENT);
  const text = isLost ? undefined : decode(bodyBytes(event), charset);
  if (text === undefined) throw invalid({ body: 'http.malformed_body' });
  return text;
}

/** Requires a query in UTF-8. 422 if it is not. */
export function requireReadable(query: string): void {
  for (const [bytes] of query.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    if (!isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
      throw invalid({ query: 'http.malformed_body' });
  }
}
