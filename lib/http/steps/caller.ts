import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { authorize, type Right } from '#lib/http/authorize.ts';
import { repetitionOf } from '#lib/http/repetition.ts';
import type { CallContext, Step } from './call-context.ts';

/**
 * Lets the caller in, as `authorize` says, and looks up whether the call has been answered before, side by
 * side.
 */
export function caller(operation: {
  readonly right: Right;
  readonly orRight?: Right;
  readonly idempotent?: true;
}): Step {
  return {
    before: async ({ event, context }) => {
      const [actor] = await Promise.all([
        authorize(operation, event, event.requestContext.timeEpoch),
        operation.idempotent && recall(context, event),
      ]);
      context.call.actor = actor;
    },
  };
}

async function recall({ call }: CallContext, event: APIGatewayProxyEventV2): Promise<void> {
  call.repetition = await repetitionOf(event, event.requestContext.timeEpoch);
  call.kept = await call.repetition?.recall();
}
