import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { startDatabase } from '#bin/local/database/database.ts';
import { chooseEngine, type EngineName } from '#bin/local/database/engine.ts';
import type { Action } from '#lib/table/change/change.ts';
import { tableName } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { WITHOUT_DYNOXIDE, WITHOUT_JAVA } from './machine.ts';

/** The engines of the local table, and why one can't be tried here. */
export const ENGINES: readonly EngineCase[] = [
  { name: 'dynoxide', missing: WITHOUT_DYNOXIDE },
  { name: 'dynamodb-local', missing: WITHOUT_JAVA },
];

interface EngineCase {
  readonly name: EngineName;
  readonly missing: string | undefined;
}

/** An engine that serves a table of the service's name, with a stream. */
export type ServedTable = Awaited<ReturnType<typeof serve>>;

/** Makes an engine serve the tests of a file, which are skipped with a reason if it is not on the machine. */
export function useEngine({ name, missing }: EngineCase): () => ServedTable {
  let served: ServedTable | undefined;
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  beforeAll(async () => {
    if (missing === undefined) served = await serve(name);
  });
  afterAll(() => served?.stop());
  return () => {
    if (!served) throw new Error(`${name} has not been started`);
    return served;
  };
}

async function serve(name: EngineName) {
  vi.stubEnv('WITHOUT_STREAM', '');
  const { endpoint, stop } = await startDatabase(chooseEngine(name), tableName(), undefined);
  vi.unstubAllEnvs();
  return { endpoint, stop, ...clientOf(endpoint) };
}

/** Speaks with an engine as the service does, but tries nothing again. */
export function clientOf(endpoint: string) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, maxAttempts: 1 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    client,
    put: (key: Key, item: object = {}) =>
      client.send(new PutCommand({ TableName: tableName(), Item: { ...item, ...key } })),
    read: async (key: Key) =>
      (await client.send(new GetCommand({ TableName: tableName(), Key: { ...key }, ConsistentRead: true })))
        .Item,
    transact: (actions: readonly Action[], given: Partial<TransactWriteCommandInput> = {}) =>
      client.send(new TransactWriteCommand({ TransactItems: [...actions], ...given })),
  };
}

/** Finds the name of the error that work ends with; undefined if it ends well. */
export function errorOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}
