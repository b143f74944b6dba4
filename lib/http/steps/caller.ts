import { type Access, authorize, claimsOf } from '#lib/http/authorize.ts';
import { repetitionOf } from '#lib/http/repetition.ts';
import type { Step } from './call-context.ts';

/**
 * Reads the token, lets the caller in, as `authorize` says, and looks up whether the call has been answered
 * before, side by side.
 */
export function caller(operation: Access & { readonly idempotent?: true }): Step {
  return {
    before: async ({ event, context: { call } }) => {
      const claims = await claimsOf(operation, event);
      if (operation.idempotent && claims) call.repetition = repetitionOf(event, claims.user);
      [call.actor, call.kept] = await Promise.all([
        authorize(operation, event, claims),
        call.repetition?.recall(),
      ]);
    },
  };
}
