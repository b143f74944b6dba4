import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { missing, type Refusal } from '#lib/values/refusal.ts';
import type { Endpoint } from './endpoint.ts';
import { methodNotAllowed } from './steps/method-override.ts';
import { type Answer, refusalAnswer } from './wire/answer.ts';
import { localeOf } from './wire/locale.ts';

/** A function of the gateway, as it is deployed. */
export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

/**
 * Makes the function of a path's PUT, PATCH or DELETE that also serves the path's POST. There `_method` in
 * the query says which is meant, as forms can't send these themselves. Part 1, "Shared conventions", 7. 405
 * for a method that the path doesn't have.
 */
export function overridable(endpoints: Readonly<Record<string, Endpoint>>): Handler {
  return async (event, context) => {
    const { http } = event.requestContext;
    const method = http.method === 'POST' ? methodMeant(event) : http.method;
    const meant = method === 'GET' ? undefined : endpoints[method];
    if (!meant) return refuseEvent(event, methodNotAllowed());
    return meant(
      { ...event, requestContext: { ...event.requestContext, http: { ...http, method } } },
      context,
    );
  };
}

function methodMeant(event: APIGatewayProxyEventV2): string {
  return new URLSearchParams(event.rawQueryString).get('_method')?.toUpperCase() ?? '';
}

/** Tells with each 405 of a function which methods its path takes. RFC 9110, 15.5.6. */
export function allowing(methods: readonly string[], handler: Handler): Handler {
  return async (event, context) => {
    const answer = await handler(event, context);
    if (answer.statusCode === 405) answer.headers['allow'] = methods.join(', ');
    return answer;
  };
}

/**
 * Makes the function of every address that no route has, from the methods of each path. 405 if the path is
 * one of ours, else 404.
 */
export function catchAll(served: Readonly<Record<string, readonly string[]>>): Handler {
  const patterns = Object.entries(served).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    methods,
  }));
  return async (event, context) => {
    // An address may be that of a fixed word and that of a variable: each method is served by its own.
    const known = patterns.filter(({ pattern }) => pattern.test(event.rawPath));
    if (known.length === 0) return refuseEvent(event, missing());
    const methods = new Set(known.flatMap((each) => each.methods));
    return allowing([...methods], async () => refuseEvent(event, methodNotAllowed()))(event, context);
  };
}

/** Makes the answer to an event that no operation gets to see. */
export function refuseEvent(event: APIGatewayProxyEventV2, refusal: Refusal): Answer {
  const answer = refusalAnswer(refusal, localeOf(event.headers['accept-language']));
  answer.headers['x-request-id'] = event.requestContext.requestId;
  return answer;
}
