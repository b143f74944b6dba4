import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { lighten, Sha256 } from '#lib/table/tuning.ts';
import type { Scale } from './support/scale.ts';
import { quantile, startMeasured } from './support/service.ts';

interface MeasuredClient {
  readonly name: string;
  readonly dynamo: DynamoDBClient;
  readonly times: number[];
}

/** So many reads make one figure, and so many figures have a middle. */
const READS = 200;
const ROUNDS = 15;

/**
 * Reads a missing item by an SDK client with defaults and by one like ours, alternately, and reports this
 * process's CPU time of a read: the table is served by another process.
 */
export async function measureSdk({ isSmallest }: Scale): Promise<object[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const clients: readonly MeasuredClient[] = [
    { name: 'as the SDK makes it', dynamo: new DynamoDBClient({}), times: [] },
    { name: 'tuned', dynamo: lighten(new DynamoDBClient({ sha256: Sha256 })), times: [] },
  ];
  for (let round = 0; round < (isSmallest ? 1 : ROUNDS); round++) {
    for (const { dynamo, times } of clients) times.push(await readTime(dynamo, isSmallest ? 1 : READS));
  }
  await service.stop();
  return clients.map(({ name, times }) => ({ client: name, cpu_ms: quantile(times) }));
}

async function readTime(dynamo: DynamoDBClient, reads: number): Promise<number> {
  const Key = { pk: { S: 'nothing' }, sk: { S: 'nothing' } };
  const began = process.cpuUsage();
  for (let each = 0; each < reads; each++) {
    await dynamo.send(new GetItemCommand({ TableName: process.env['TABLE_NAME'], Key }));
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / reads;
}
