import { takesBody } from '#lib/http/moving.ts';
import { readForm } from '#lib/http/multipart.ts';
import { isForm, type Receiving } from '#lib/http/request.ts';
import { fromText } from '#lib/values/from-text.ts';
import type { Step } from './call-context.ts';

/**
 * Parses a multipart form; its fields become numbers and booleans as the schema requires. 422 if it is
 * broken.
 */
export function formBody(operation: Receiving): Step {
  return {
    before: async ({ event, context }) => {
      if (!takesBody(operation) || !event.body || !isForm(event)) return;
      context.call.body = fromText(operation.body, await readForm(event));
    },
  };
}
