import { type Receiving, readInput } from '#lib/http/request.ts';
import type { Step } from './call-context.ts';

/**
 * Reads path, query and body and checks them against the operation's schemas: 404 and 422 as `readInput`
 * says.
 */
export function input(operation: Receiving): Step {
  return {
    before: async ({ event, context }) => {
      context.call.input = await readInput(event, operation, context.call.body);
    },
  };
}
