import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, invalid } from '#lib/values/api-error.ts';

/** Labels that `TextDecoder` takes for Latin, though they say that all bytes are UTF-8. */
const ASCII = /^(us-)?ascii$/i;

/** Charsets of requests. Contract 9.128. */
const TAKEN = ['utf-8', 'windows-1251'];

/** What stands for bytes that could not be read. */
const REPLACEMENT = '\ufffd';

/** Makes the 415: a type of content, a charset or a packing that nobody reads here. */
export function refuseMedia(): ApiError {
  return new ApiError(415, { key: 'http.unsupported_media' });
}

/** Finds the charset that a type of content names, UTF-8 if it names none. 415 for one that is not taken. */
export function charsetOf(contentType: string | undefined, otherwise = 'utf-8'): string {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType ?? '') ?? [];
  const label = quoted ?? plain;
  if (label === undefined) return otherwise;
  const charset = ASCII.test(label) ? 'utf-8' : encodingOf(label);
  if (charset === undefined || !TAKEN.includes(charset)) throw refuseMedia();
  return charset;
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Reads a text, without a mark before it. Undefined if its bytes are none of the charset. */
export function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Gives the bytes of a body as they came. */
export function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Reads a body that is a text. 415 for another charset, 422 for bytes that are none of it. Of a body that
 * comes as text, the gateway may have replaced them already.
 */
export function bodyText(event: APIGatewayProxyEventV2): string {
  const charset = charsetOf(event.headers['content-type']);
  const isLost = !event.isBase64Encoded && event.body?.includes(REPLACEMENT);
  const text = isLost ? undefined : decode(bodyBytes(event), charset);
  if (text === undefined) throw invalid({ body: 'http.malformed_body' });
  return text;
}

/** Requires that a query is UTF-8. 422 if it is not. */
export function requireReadable(query: string): void {
  for (const [bytes] of query.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    if (!isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
      throw invalid({ query: 'http.malformed_body' });
  }
}
