import { log } from '#lib/http/log.ts';
import { type Meter, roundTripsOf, unitsOf, waitingOf, writtenIn } from '#lib/table/meter.ts';
import type { Served, Step } from './call-context.ts';

/** Marks every answer with the request's id and writes one line of the log for it. */
export function requestLog(): Step {
  return { after: finish, onError: finish };
}

function finish({ event, context, response }: Served): void {
  if (!response) return;
  const { requestId, http, timeEpoch } = event.requestContext;
  response.headers['x-request-id'] = requestId;
  const { actor, meter, began } = context.call;
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
    ...(actor?.impersonator !== undefined && { impersonator: actor.impersonator }),
    ...(actor && 'externalKey' in actor && { external_key: actor.externalKey }),
    duration_ms: rounded(performance.now() - began),
    ...tableUse(meter),
  });
}

function tableUse(meter: Meter) {
  return {
    table_ms: rounded(waitingOf(meter)),
    table_calls: meter.calls.length,
    round_trips: roundTripsOf(meter),
    capacity_units: unitsOf(meter),
    written_units: writtenIn(meter),
    ...(meter.conflicts > 0 && { conflicts: meter.conflicts }),
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
