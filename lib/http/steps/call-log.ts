import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type Actor, seesCosts } from '#lib/auth/actor.ts';
import { localeOf } from '#lib/http/wire/accept.ts';
import { countFigures, describe, type Figure, log } from '#lib/http/wire/log.ts';
import { errorResponse, type LambdaResponse, toApiError } from '#lib/http/wire/response.ts';
import { type Meter, roundTripsOf, unitsOf, waitMsOf, writeUnitsOf } from '#lib/table/request-context.ts';

/** A call's data for the log. */
interface CallRecord {
  readonly meter: Meter;
  /** Milliseconds, monotonic. */
  readonly began: number;
  /** The authenticated caller; undefined if authentication is not required. */
  actor?: Actor | undefined;
  /** The error code, if it was rejected. */
  refused?: string;
}

export interface CallContext extends Context {
  readonly call: CallRecord;
}

/** A middleware around an operation. */
export type Step = MiddlewareObj<APIGatewayProxyEventV2, LambdaResponse, Error, CallContext>;

/** A call passing through the middlewares. */
export type CallRequest = Request<APIGatewayProxyEventV2, LambdaResponse, Error, CallContext>;

/** Turns an error into a response for the caller, and logs details that are only for operators. */
export function errorResponses(): Step {
  return {
    onError: (request) => {
      const refusal = toApiError(request.error);
      if (refusal.status >= 500) {
        const requestId = request.event.requestContext.requestId;
        log({ level: 'error', message: 'failed', request_id: requestId, ...describe(request.error) });
      }
      const { call } = request.context;
      call.refused = refusal.phrase.key;
      const hidesCosts = call.actor !== undefined && !seesCosts(call.actor);
      const locale = localeOf(request.event.headers['accept-language']);
      request.response = errorResponse(refusal, locale, { hidesCosts });
    },
  };
}

/**
 * Adds the request's id to every response and logs one line for it, with metrics for the operation's result
 * or error code.
 */
export function requestLog({ figure }: { readonly figure?: Figure }): Step {
  const finishing = (served: CallRequest) => finish(served, figure);
  return { after: finishing, onError: finishing };
}

function finish({ event, context, response }: CallRequest, figure: Figure | undefined): void {
  if (!response) return;
  const { requestId, http, timeEpoch } = event.requestContext;
  response.headers['x-request-id'] = requestId;
  const { actor, meter, began, refused: code } = context.call;
  const isDone = response.statusCode === 200 && !('idempotent-replayed' in response.headers);
  log({
    level: 'info',
    message: 'request',
    request_id: requestId,
    at: timeEpoch,
    method: http.method,
    route: event.routeKey,
    path: event.rawPath,
    status: response.statusCode,
    ...(actor && { actor: actor.id, actor_type: actor.type }),
    ...(actor?.impersonator && { impersonator: actor.impersonator.user }),
    ...(actor && 'externalKey' in actor && { external_key: actor.externalKey }),
    duration_ms: round(performance.now() - began),
    ...initOf(began),
    ...(code !== undefined && { code }),
    ...tableUse(meter),
    ...countFigures({ counts: countsOf(meter, isDone ? figure : undefined), code }, timeEpoch),
  });
}

let isWarm = false;

/**
 * Returns the cold-start time, logged with a function's first call: from the start of Node to that call.
 * Omitted if the function was started in advance: it has waited for its first call. Lambda's own figure is
 * not in these logs.
 */
function initOf(began: number): { readonly init_ms?: number } {
  if (isWarm) return {};
  isWarm = true;
  return process.env['AWS_LAMBDA_INITIALIZATION_TYPE'] === 'on-demand' ? { init_ms: round(began) } : {};
}

function countsOf({ conflicts }: Meter, figure: Figure | undefined): Record<string, number> {
  return { ...(figure && { [figure]: 1 }), ...(conflicts > 0 && { conflicts }) };
}

function tableUse(meter: Meter) {
  return {
    table_ms: round(waitMsOf(meter)),
    table_calls: meter.calls.length,
    round_trips: roundTripsOf(meter),
    capacity_units: unitsOf(meter),
    written_units: writeUnitsOf(meter),
    ...(meter.conflicts > 0 && { conflicts: meter.conflicts }),
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
