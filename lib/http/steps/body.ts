import type { BusboyInstance } from '@fastify/busboy';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Upload } from '#lib/files/upload.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import { fromJson } from '#lib/values/by-schema.ts';
import { fromText, nest, type Tree } from '#lib/values/from-text.ts';
import { invalid, Refusal } from '#lib/values/refusal.ts';
import type { CallContext } from './call-log.ts';
import { readEachEntry } from './entries.ts';

const json = httpJsonBodyParser();

/**
 * Parses a body, JSON or a multipart form. 415 for another type of content, 422 if it can't be read. A strict
 * operation looks at it even if it takes none: a field would be unknown.
 */
export async function readBody(
  operation: Metadata,
  event: APIGatewayProxyEventV2,
  context: CallContext,
): Promise<unknown> {
  if (!event.body || !(operation.body || isStrict(operation))) return undefined;
  if (isForm(event)) return fromText(operation.body, await readForm(event));
  if (!isJson(event)) throw new Refusal(415, { key: 'http.unsupported_media' });
  const parse = async (part: APIGatewayProxyEventV2): Promise<{ readonly parsed: unknown } | undefined> => {
    const parsing = { event: { ...part }, context, response: null, error: null, internal: {} };
    try {
      await json.before?.(parsing);
      return { parsed: parsing.event.body };
    } catch {
      return undefined;
    }
  };
  const text = bodyBytes(event).toString();
  const whole = await parse(event);
  if (whole) return fromJson(operation.body, { ...whole, text });
  const { body: schema, entries: name } = operation;
  const accepts = async (value: unknown) =>
    (await parse({ ...event, body: JSON.stringify(value), isBase64Encoded: false })) !== undefined;
  const read = name === undefined ? undefined : await readEachEntry({ schema, name, text }, accepts);
  if (read === undefined) throw invalid({ body: 'http.malformed_body' });
  return read;
}

/** Tells whether an operation refuses fields that nobody knows. */
export function isStrict({ idempotent, strict }: Metadata): boolean {
  return idempotent === true || strict === true;
}

/** Tells whether a body is a multipart form. */
export function isForm({ headers }: APIGatewayProxyEventV2): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

function isJson({ headers }: APIGatewayProxyEventV2): boolean {
  return /^application\/(.+\+)?json($|\s*;)/i.test(headers['content-type'] ?? '');
}

/** Gives the bytes of a body as they came. */
export function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Reads the fields and files of a multipart form, nested as their names say. 422 if it can't be read.
 *
 * Busboy is used directly: middy's wrapper of it loses the names in brackets (`name[ru]` becomes a list),
 * reverses the order of files and refuses boundaries that RFC 2046 allows and Dart's and Apache's clients
 * send.
 */
async function readForm(event: APIGatewayProxyEventV2): Promise<Tree> {
  // Most calls bring JSON: the first form loads the parser.
  const { Busboy } = await import('@fastify/busboy');
  const entries: [string, string | Upload][] = [];
  try {
    const headers = { 'content-type': event.headers['content-type'] ?? '' };
    await parse(new Busboy({ headers }), event, entries);
  } catch {
    throw invalid({ body: 'http.malformed_body' });
  }
  return nest(entries);
}

function parse(
  busboy: BusboyInstance,
  event: APIGatewayProxyEventV2,
  entries: [string, string | Upload][],
): Promise<void> {
  return new Promise((resolve, reject) => {
    busboy.on('field', (name, value) => entries.push([name, value]));
    busboy.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        entries.push([name, { filename: filename ?? '', content: Buffer.concat(chunks) }]),
      );
      stream.on('error', reject);
    });
    busboy.on('finish', resolve);
    busboy.on('error', reject);
    busboy.end(bodyBytes(event));
  });
}
