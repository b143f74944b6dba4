import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { forbidden } from '#lib/values/refusal.ts';
import type { Answer } from './answer.ts';
import { compressed } from './compression.ts';
import { callerOf } from './edge.ts';
import { refuseEvent } from './unserved.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

/**
 * Makes a function as it is deployed of one that only answers: it lets in what came through the content
 * network, with the caller's own address, and compresses the answer. 403 for calls that went past the
 * network.
 */
export function entrance(handler: Handler): Handler {
  return async (event, context) => {
    const { requestContext, headers } = event;
    const sourceIp = callerOf(headers, requestContext.http.sourceIp);
    if (sourceIp === undefined) return refuseEvent(event, forbidden('auth.past_the_edge'));
    const http = { ...requestContext.http, sourceIp };
    const answer = await handler({ ...event, requestContext: { ...requestContext, http } }, context);
    return compressed(answer, headers['accept-encoding']);
  };
}
