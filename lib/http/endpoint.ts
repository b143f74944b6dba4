import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { canReadUsers } from '#lib/auth/account-manager.ts';
import { makerOf, seesCosts } from '#lib/auth/actor.ts';
import { readBody } from '#lib/http/steps/body.ts';
import { type CallContext, errorResponses, requestLog } from '#lib/http/steps/call-log.ts';
import { authenticate, countCall } from '#lib/http/steps/caller.ts';
import { deprecationHeaders } from '#lib/http/steps/deprecation.ts';
import { readInput, withoutOverride } from '#lib/http/steps/input.ts';
import { etagOf } from '#lib/records/precondition.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { untilSeen } from '#lib/table/read/until-seen.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import type { Definition, Metadata, Right, UntypedDefinition } from './definition/definition.ts';
import { markReplayed, ReplayedResponse, runOnce } from './definition/idempotency.ts';
import { localeOf } from './wire/accept.ts';
import {
  Confirmation,
  hideCosts,
  jsonResponse,
  type LambdaResponse,
  okResponse,
  requireResponseSize,
} from './wire/response.ts';
import { revalidate } from './wire/revalidation.ts';

/** A Lambda function that serves one operation. */
export interface Endpoint {
  (event: APIGatewayProxyEventV2, context: Context): Promise<LambdaResponse>;
  readonly metadata: Metadata;
}

/**
 * Returns the Lambda function of an operation. In this order: log, errors, method override, token and right,
 * rate limit, then validation of path, query and body with all failing fields at once, and the operation
 * itself.
 */
export function endpoint<
  R extends Right,
  A extends z.ZodType = typeof Confirmation,
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  P extends z.ZodType = z.ZodUndefined,
>(definition: Definition<R, A, B, Q, P>): Endpoint {
  return serve({ response: Confirmation, ...definition });
}

function serve(operation: UntypedDefinition): Endpoint {
  // With middy's own timeout it would respond while the operation goes on: the deadline ends both.
  const stack = middy<APIGatewayProxyEventV2, LambdaResponse, Error, CallContext>({ timeoutEarlyInMillis: 0 })
    // Run in reverse order after the operation, so errors are already responses when they are logged.
    .use([requestLog(operation), deprecationHeaders(operation), errorResponses()])
    .handler((event, context) => answer(operation, withoutOverride(event), context));

  const handler = (event: APIGatewayProxyEventV2, context: Context): Promise<LambdaResponse> => {
    const meter = newMeter();
    const call = { meter, began: performance.now() };
    return runInContext({ meter }, () =>
      withDeadline(context.getRemainingTimeInMillis(), () => stack(event, { ...context, call })),
    );
  };
  return Object.assign(handler, { metadata: operation });
}

/** Methods that change a record, and so support `If-Match`. */
const CHANGING = new Set(['PUT', 'PATCH', 'DELETE']);

/** Authenticates the caller, validates the input, and runs the operation, unless its response is saved. */
async function answer(
  operation: UntypedDefinition,
  event: APIGatewayProxyEventV2,
  context: CallContext,
): Promise<LambdaResponse> {
  const { actor, repetition, kept } = await authenticate(operation, event);
  context.call.actor = actor;
  const { timeEpoch: at, http } = event.requestContext;
  if (actor) await countCall(operation, actor, at);
  const sent = await readBody(operation, event, context);
  const locale = localeOf(event.headers['accept-language']);
  const ifMatch = CHANGING.has(http.method) ? event.headers['if-match'] : undefined;
  const mayRead = actor !== undefined && canReadUsers(actor);
  const hidesCosts = actor !== undefined && !seesCosts(actor);
  const scope = { ifMatch, mayReadUsers: mayRead, hidesCosts, ...(actor && { changer: makerOf(actor) }) };
  const finish = (answered: LambdaResponse) =>
    hidesCosts ? hideCosts(operation.response, answered) : answered;
  const input = await readInput(operation, event, sent).catch((error: unknown) => {
    const { endUnfit } = operation;
    if (!endUnfit || !(error instanceof ApiError)) throw error;
    return runInContext(scope, () => endUnfit({ sent, actor, at }, error));
  });
  if (input instanceof ReplayedResponse) {
    return runInContext(scope, async () =>
      finish(markReplayed(okResponse(operation.response, input.answer, locale))),
    );
  }
  const call = { ...input, sent, actor, at, locale, ip: http.sourceIp, url: urlOf(event) };
  const render = (result: unknown) => {
    const answered = okResponse(operation.response, result, locale);
    if (http.method === 'GET') addETag(answered, result);
    if (operation.isRevalidated) return revalidate(answered, event.headers['if-none-match']);
    if (operation.isPaged) requireResponseSize(answered, { 'page-size': 'list.page_too_large' });
    if (operation.isReport) requireResponseSize(answered, { format: 'report.too_large' });
    return answered;
  };
  const once = () =>
    runOnce(repetition, kept, {
      run: async (saveResponse) => {
        const run = async () => operation.run({ ...call, saveResponse });
        const result = await (http.method === 'GET' ? untilSeen(run) : run());
        if (result instanceof ReplayedResponse) return markReplayed(render(result.answer));
        const { lastSaved } = repetition ?? {};
        // A saved response is already rendered.
        return lastSaved && lastSaved.answer === result ? jsonResponse(lastSaved.text, 200) : render(result);
      },
      reread: async (documents) => {
        if (!operation.reread)
          throw new Error(`${operation.right} can't tell again what was too large to keep`);
        return render(await operation.reread(call, documents));
      },
    });
  return finish(await runInContext(scope, once));
}

/**
 * Returns the requested URL, under the service's own host name, whichever one the caller used. API Gateway
 * passes the path decoded.
 */
function urlOf({ rawPath, rawQueryString }: APIGatewayProxyEventV2): URL {
  const path = rawPath.split('/').map(encodeURIComponent).join('/');
  return new URL(`${requireEnv('ADDRESS')}${path}${rawQueryString && `?${rawQueryString}`}`);
}

const Versioned = z.object({ version: z.int() });

/** Adds the `ETag` of the returned record's version, for `If-Match`. Contract 1, "Concurrent edits". */
function addETag(answered: LambdaResponse, result: unknown): void {
  const { data: record } = Versioned.safeParse(result);
  if (record) answered.headers['etag'] = etagOf(record.version);
}
