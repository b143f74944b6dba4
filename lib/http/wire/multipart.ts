import type { BusboyInstance } from '@fastify/busboy';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Upload } from '#lib/files/upload.ts';
import { nest, type Tree } from '#lib/values/from-text.ts';
import { invalid } from '#lib/values/refusal.ts';

/**
 * Reads the fields and files of a multipart form, nested as their names say. 422 if it can't be read.
 *
 * Busboy is used directly: middy's wrapper of it loses the names in brackets (`name[ru]` becomes a list),
 * reverses the order of files and refuses boundaries that RFC 2046 allows and Dart's and Apache's clients
 * send.
 */
export async function readForm(event: APIGatewayProxyEventV2): Promise<Tree> {
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
    busboy.end(Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'));
  });
}
