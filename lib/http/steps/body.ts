import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Metadata } from '#lib/http/definition/definition.ts';
import { bodyText, refuseMedia } from '#lib/http/wire/charset.ts';
import { invalid } from '#lib/values/api-error.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { fromText } from '#lib/values/from-text.ts';
import type { CallContext } from './call-log.ts';
import { readEachEntry } from './entries.ts';
import { isForm, isJson, type ParseJson, readForm } from './form.ts';

const json = httpJsonBodyParser();

/**
 * Parses a body, JSON or a multipart form. 415 for another content type or a compressed body; 422 if it is
 * malformed. A strict operation without a body parses it too: its fields are unknown.
 */
export async function readBody(
  operation: Metadata,
  event: APIGatewayProxyEventV2,
  context: CallContext,
): Promise<unknown> {
  if (!event.body || !(operation.body || isStrict(operation))) return undefined;
  if (event.headers['content-encoding']) throw refuseMedia();
  const parse: ParseJson = async (text) => {
    const sent = { ...event, headers: { 'content-type': 'application/json' }, isBase64Encoded: false };
    const parsing = { event: { ...sent, body: text }, context, response: null, error: null, internal: {} };
    try {
      await json.before?.(parsing);
      return { parsed: parsing.event.body };
    } catch {
      return undefined;
    }
  };
  const { body: schema, entries: name } = operation;
  if (isForm(event)) return fromText(schema, await readForm(schema, event, parse));
  if (!isJson(event.headers['content-type'])) throw refuseMedia();
  const text = bodyText(event);
  const whole = await parse(text);
  if (whole) return fromJson(schema, { ...whole, text });
  const accepts = async (value: unknown) => (await parse(JSON.stringify(value))) !== undefined;
  const read = name === undefined ? undefined : await readEachEntry({ schema, name, text }, accepts);
  if (read === undefined) throw invalid({ body: 'http.malformed_body' });
  return read;
}

/** Returns true if an operation rejects unknown fields. */
export function isStrict({ idempotent, strict }: Metadata): boolean {
  return idempotent === true || strict === true;
}
