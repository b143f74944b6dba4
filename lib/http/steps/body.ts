import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Receiving } from '#lib/http/definition/definition.ts';
import { movesGoodsOrMoney } from '#lib/http/steps/unknown-fields.ts';
import { readForm } from '#lib/http/wire/multipart.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { fromText } from '#lib/values/from-text.ts';
import { invalid, Refusal } from '#lib/values/refusal.ts';
import type { Served, Step } from './call-context.ts';

const json = httpJsonBodyParser();

/**
 * Parses a body, JSON or a multipart form. 415 for another type of content, 422 if it can't be read. An
 * operation that moves goods or money looks at it even if it takes none: a field would be unknown.
 */
export function body(operation: Receiving): Step {
  return {
    before: async (request) => {
      const { event, context } = request;
      if (!event.body || !(operation.body || movesGoodsOrMoney(operation))) return;
      context.call.body = isForm(event)
        ? fromText(operation.body, await readForm(event))
        : await readJson(operation.body, request);
    },
  };
}

/** Tells whether a body is a multipart form. */
export function isForm({ headers }: APIGatewayProxyEventV2): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

async function readJson(schema: unknown, request: Served): Promise<unknown> {
  if (!isJson(request.event)) throw new Refusal(415, { key: 'http.unsupported_media' });
  const parsing = { ...request, event: { ...request.event } };
  try {
    await json.before?.(parsing);
  } catch {
    throw invalid({ body: 'http.malformed_body' });
  }
  return fromJson(schema, { parsed: parsing.event.body, text: textOf(request.event) });
}

function textOf({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
}

function isJson({ headers }: APIGatewayProxyEventV2): boolean {
  return /^application\/(.+\+)?json($|\s*;)/i.test(headers['content-type'] ?? '');
}
