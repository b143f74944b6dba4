import { type ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { giveUpAfter, QUICK_MS } from '#lib/values/silence.ts';
import { Sha256 } from './checksum.ts';
import { requestAbortSignal, requireTime } from './deadline.ts';
import { recordTableCall } from './request-context.ts';

/** An item as the table holds it. */
export type Item = Record<string, unknown>;

/** Closes the connection of a request that is under way at its call's deadline. */
class CutOffHandler extends NodeHttpHandler {
  override handle(...[request, options = {}]: Parameters<NodeHttpHandler['handle']>) {
    const abortSignal = options.abortSignal ?? requestAbortSignal();
    return super.handle(request, { ...options, ...(abortSignal && { abortSignal }) });
  }
}

const READS = /^(Get|BatchGet|TransactGet|Query)/;

/** Opens the connection, with what each call to the table is counted and cut off by. */
function newClient(): DynamoDBClient {
  const client = new DynamoDBClient({
    requestHandler: new CutOffHandler(giveUpAfter(QUICK_MS)),
    sha256: Sha256,
  });

  // The logger copies every answer for a log that nobody keeps: half a millisecond for a list.
  client.middlewareStack.remove('loggerMiddleware');
  // A tenth of a request's work goes into naming the SDK in its headers, for nobody's use but AWS's.
  client.middlewareStack.remove('getUserAgentMiddleware');
  // Each request spreads the configuration five times. V8 copies it slowly, as it was put together bit by
  // bit, but keeps what is anybody's prototype so that it is read quickly: a fifth less work for a request.
  Object.create(client.config);

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

  // Each attempt by itself: what the SDK tries again may have become too late.
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

/** The one connection to the one table. Absent fields are left out of items. */
export const dynamo = DynamoDBDocumentClient.from(newClient(), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Gives the table's name; read at the first call, so that a module can be imported without a table. */
export function tableName(): string {
  return requireEnv('TABLE_NAME');
}
