import { heedMethodOverride } from '#lib/http/request.ts';
import type { Step } from './call-context.ts';

/**
 * Takes `_method` out of the query once it has been heeded. 405 if it asks for another method than is served.
 */
export function methodOverride(): Step {
  return {
    before: (request) => {
      request.event = heedMethodOverride(request.event);
    },
  };
}
