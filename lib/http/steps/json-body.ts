import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { takesBody } from '#lib/http/moving.ts';
import { isForm, type Receiving } from '#lib/http/request.ts';
import { asWritten } from '#lib/values/as-written.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { invalid, Refusal } from '#lib/values/refusal.ts';
import type { Step } from './call-context.ts';

const json = httpJsonBodyParser();

/**
 * Parses a JSON body. 415 for another content type unless it is a form's, 422 for JSON that can't be read.
 */
export function jsonBody(operation: Receiving): Step {
  return {
    before: async (request) => {
      if (!takesBody(operation) || !request.event.body || isForm(request.event)) return;
      if (!isJson(request.event)) throw new Refusal(415, { key: 'http.unsupported_media' });
      const parsing = { ...request, event: { ...request.event } };
      try {
        await json.before?.(parsing);
      } catch {
        throw invalid({ body: 'http.malformed_body' });
      }
      const parsed = asWritten(operation.body, textOf(request.event), parsing.event.body);
      request.context.call.body = fromJson(operation.body, parsed);
    },
  };
}

function textOf({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
}

function isJson({ headers }: APIGatewayProxyEventV2): boolean {
  return /^application\/(.+\+)?json($|\s*;)/i.test(headers['content-type'] ?? '');
}
