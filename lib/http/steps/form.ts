import type { BusboyInstance, Dicer } from '@fastify/busboy';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Upload } from '#lib/files/upload.ts';
import { bodyBytes, charsetOf, decode } from '#lib/http/wire/charset.ts';
import { invalid } from '#lib/values/api-error.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { nest, splitName, type Tree } from '#lib/values/from-text.ts';

/** Parses JSON; undefined if it is malformed, or contains keys that the parser rejects. */
export type ParseJson = (text: string) => Promise<{ readonly parsed: unknown } | undefined>;

/** A part of a form. */
interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly content: Buffer;
}

/** Returns true if a body is a multipart form. */
export function isForm({ headers }: APIGatewayProxyEventV2): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

/**
 * Reads the fields and files of a multipart form, nested by their names. 422 if it is malformed, 415 for
 * another charset.
 *
 * Busboy is used directly: middy's wrapper of it loses the names in brackets (`name[ru]` becomes a list),
 * reverses the order of files and rejects boundaries that RFC 2046 allows and the clients of Dart and Apache
 * send.
 */
export async function readForm(
  schema: unknown,
  event: APIGatewayProxyEventV2,
  parseJson: ParseJson,
): Promise<Tree> {
  const contentType = event.headers['content-type'] ?? '';
  const whole = charsetOf(contentType);
  const { parts, types } = await split(contentType, withoutByteOrderMark(bodyBytes(event)));
  if (parts.length !== types.length) throw refuseMalformed();
  const readPart = async ({ name, filename, content }: Part, index: number): Promise<[string, unknown]> => {
    const type = types[index] ?? '';
    if (filename !== undefined || /^application\/octet-stream/i.test(type)) {
      return [name, { filename: filename ?? '', content } satisfies Upload];
    }
    const text = decode(content, charsetOf(type, whole));
    if (text === undefined) throw refuseMalformed(fieldOf(name));
    return [name, isJson(type) ? await readJson(schema, name, text, parseJson) : text];
  };
  return nest(await Promise.all(parts.map(readPart)));
}

/** Returns true if a content type is JSON. */
export function isJson(type: string | undefined): boolean {
  return /^application\/(.+\+)?json($|\s*;)/i.test(type ?? '');
}

/** Reads a part of type JSON like the same field of a JSON body. Contract 9.129. */
async function readJson(schema: unknown, name: string, text: string, parseJson: ParseJson) {
  const whole = await parseJson(text);
  if (!whole) throw refuseMalformed(fieldOf(name));
  const path = splitName(name).filter(Boolean);
  const open = path.map((word) => `{${JSON.stringify(word)}:`).join('');
  const around = `${open}${text}${'}'.repeat(path.length)}`;
  const read = fromJson(schema, { parsed: JSON.parse(around), text: around });
  return path.reduce<unknown>((value, word) => Object(value)[word], read);
}

/** Splits a form into its parts, and the content type of each, of which Busboy drops the charset. */
async function split(contentType: string, bytes: Buffer) {
  // Most calls send JSON: the first form loads the parser.
  const busboy = await import('@fastify/busboy');
  try {
    const headers = { 'content-type': contentType };
    const parser = new busboy.Busboy({ headers, isPartAFile: () => true });
    const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/i.exec(contentType) ?? [];
    const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '';
    return {
      parts: await partsIn(parser, bytes),
      types: await typesIn(new busboy.Dicer({ boundary }), bytes),
    };
  } catch {
    throw refuseMalformed();
  }
}

function partsIn(busboy: BusboyInstance, bytes: Buffer): Promise<Part[]> {
  const parts: Part[] = [];
  return new Promise((resolve, reject) => {
    busboy.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => parts.push({ name, filename, content: Buffer.concat(chunks) }));
      stream.on('error', reject);
    });
    busboy.on('finish', () => resolve(parts));
    busboy.on('error', reject);
    busboy.end(bytes);
  });
}

const Header = z.object({
  'content-disposition': z.array(z.string()).optional(),
  'content-type': z.array(z.string()).optional(),
});

/** Returns the content types of the parts that Busboy returns: those with `form-data`. */
function typesIn(dicer: Dicer, bytes: Buffer): Promise<string[]> {
  const types: string[] = [];
  return new Promise((resolve, reject) => {
    dicer.on('part', (part) => {
      part.on('header', (given) => {
        const { 'content-disposition': [disposition = ''] = [], 'content-type': [type = ''] = [] } =
          Header.parse(given);
        if (/^\s*form-data/i.test(disposition)) types.push(type);
      });
      part.on('error', reject);
      part.resume();
    });
    dicer.on('finish', () => resolve(types));
    dicer.on('error', reject);
    dicer.end(bytes);
  });
}

/** Removes the byte order mark that some programs send. Contract 9.128. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function fieldOf(name: string): string {
  return splitName(name).filter(Boolean).join('.');
}

function refuseMalformed(field = 'body') {
  return invalid({ [field]: 'http.malformed_body' });
}
