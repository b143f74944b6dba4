import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { missing, type Refusal } from '#lib/values/refusal.ts';
import { type Answer, refusalAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { localeOf } from './locale.ts';
import { methodNotAllowed } from './request.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

/**
 * The function of a path's PUT, PATCH or DELETE which serves the path's POST too: there `_method` in the query says which
 * is meant, as forms can't send those themselves. 405 for one the path doesn't have. Part 1, "Shared conventions", 7.
 */
export function overridable(endpoints: Readonly<Record<string, Endpoint>>): Handler {
  return async (event, context) => {
    const { http } = event.requestContext;
    const method = http.method === 'POST' ? overridden(event) : http.method;
    const meant = method === 'GET' ? undefined : endpoints[method];
    if (!meant) return refuseEvent(event, methodNotAllowed());
    return meant(
      { ...event, requestContext: { ...event.requestContext, http: { ...http, method } } },
      context,
    );
  };
}

function overridden(event: APIGatewayProxyEventV2): string {
  return new URLSearchParams(event.rawQueryString).get('_method')?.toUpperCase() ?? '';
}

/** The function of every address no route has: 405 where the path is one of ours, 404 elsewhere. */
export function unserved(paths: readonly string[]): Handler {
  const patterns = paths.map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`));
  return async (event) => {
    const known = patterns.some((pattern) => pattern.test(event.rawPath));
    return refuseEvent(event, known ? methodNotAllowed() : missing());
  };
}

/** The answer to an event which no operation gets to see. */
export function refuseEvent(event: APIGatewayProxyEventV2, refusal: Refusal): Answer {
  const answer = refusalAnswer(refusal, localeOf(event.headers['accept-language']));
  answer.headers['x-request-id'] = event.requestContext.requestId;
  return answer;
}
