import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { fromText } from '#lib/values/from-text.ts';
import { invalid, Refusal } from '#lib/values/refusal.ts';
import { readForm } from './multipart.ts';

const json = httpJsonBodyParser();

/**
 * A request's body as plain data: JSON, or a form's fields with numbers and booleans read as the schema wants them.
 * Undefined where there is none. 415 for another content type, 422 for a body that can't be read.
 */
export async function readBody(
  event: APIGatewayProxyEventV2,
  context: Context,
  schema: unknown,
): Promise<unknown> {
  if (!event.body) return undefined;
  const type = event.headers['content-type'] ?? '';
  if (/^multipart\/form-data/i.test(type)) {
    return fromText(schema, await readForm(event));
  }
  if (!/^application\/(.+\+)?json($|\s*;)/i.test(type))
    throw new Refusal(415, { key: 'http.unsupported_media' });
  const request = { event: { ...event }, context, response: null, error: null, internal: {} };
  try {
    await json.before?.(request);
  } catch {
    throw invalid({ body: 'http.malformed_body' });
  }
  return request.event.body;
}
