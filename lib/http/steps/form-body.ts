import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readForm } from '#lib/http/multipart.ts';
import type { InputSchemas } from '#lib/http/request.ts';
import { fromText } from '#lib/values/from-text.ts';
import type { Step } from './call-context.ts';

/**
 * Parses a multipart form; its fields become numbers and booleans as the schema requires. 422 if it is
 * broken.
 */
export function formBody({ body }: Pick<InputSchemas, 'body'>): Step {
  return {
    before: async ({ event, context }) => {
      if (body && event.body && isForm(event)) context.call.body = fromText(body, await readForm(event));
    },
  };
}

/** Tells whether a body is a multipart form. */
export function isForm({ headers }: APIGatewayProxyEventV2): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}
