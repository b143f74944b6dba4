import { type ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { giveUpAfter, PATIENT_MS, QUICK_MS } from '#lib/values/silence.ts';
import { requestAbortSignal, requireTime } from './deadline.ts';
import { recordTableCall } from './request-context.ts';
import { lighten, Sha256 } from './tuning.ts';

/** A stored item. */
export type Item = Record<string, unknown>;

/**
 * Aborts requests that are in progress at the call's deadline. Work without one, such as a program of an
 * operator, waits longer for a busy table.
 */
class CutOffHandler extends NodeHttpHandler {
  readonly #patient = new NodeHttpHandler(giveUpAfter(PATIENT_MS));

  override handle(...[request, options = {}]: Parameters<NodeHttpHandler['handle']>) {
    const cutOff = requestAbortSignal();
    if (!cutOff) return this.#patient.handle(request, options);
    return super.handle(request, { ...options, abortSignal: options.abortSignal ?? cutOff });
  }
}

const READS = /^(Get|BatchGet|TransactGet|Query)/;

/** Creates the client, with middleware that meters each call to the table and enforces the deadline. */
function newClient(): DynamoDBClient {
  const client = lighten(
    new DynamoDBClient({ requestHandler: new CutOffHandler(giveUpAfter(QUICK_MS)), sha256: Sha256 }),
  );

  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const began = performance.now();
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
        let units = 0;
        try {
          const result = await next({ ...args, input });
          units = unitsIn(result.output);
          return result;
        } finally {
          recordTableCall({ began, ended: performance.now(), units, isWrite: !READS.test(commandName) });
        }
      },
    { step: 'initialize', name: 'meter' },
  );

  // Checked for each attempt: the SDK may retry after the deadline.
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        requireTime(!READS.test(commandName));
        try {
          return await next(args);
        } catch (error) {
          if (requestAbortSignal()?.aborted) throw serviceUnavailable();
          throw error;
        }
      },
    { step: 'finalizeRequest', priority: 'low', name: 'deadline' },
  );
  return client;
}

function unitsIn(
  output: { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined } | object,
): number {
  if (!('ConsumedCapacity' in output)) return 0;
  return [output.ConsumedCapacity ?? []]
    .flat()
    .reduce((sum, { CapacityUnits }) => sum + (CapacityUnits ?? 0), 0);
}

/** The only client of the only table. Undefined fields are left out of items. */
export const dynamo = DynamoDBDocumentClient.from(newClient(), {
  marshallOptions: { removeUndefinedValues: true },
});

/**
 * Returns the table's name. Reads the environment at the first call, so that importing a module needs no
 * table.
 */
export function tableName(): string {
  return requireEnv('TABLE_NAME');
}
