import { Refusal } from '#lib/values/refusal.ts';
import type { Step } from './call-context.ts';

/**
 * Takes `_method` out of the query once it has been heeded. 405 if it asks for another method than is served.
 */
export function methodOverride(): Step {
  return {
    before: (request) => {
      const { event } = request;
      const query = new URLSearchParams(event.rawQueryString);
      const wanted = query.get('_method');
      if (wanted === null) return;
      if (wanted.toUpperCase() !== event.requestContext.http.method) throw methodNotAllowed();
      query.delete('_method');
      request.event = { ...event, rawQueryString: query.toString() };
    },
  };
}

/** Makes the 405: the path exists, but without this method. */
export function methodNotAllowed(): Refusal {
  return new Refusal(405, { key: 'http.method_not_allowed' });
}
