import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';

type Stored = Readonly<Record<string, AttributeValue>>;

/** A service's environment, which names its table. */
type Settings = Readonly<Record<string, string>>;

const BATCH = 25;
const WRITERS = 16;
const STEP = 10_000;
const YEAR_MS = 365 * 86_400_000;

/**
 * Copies the latest sale of a service this many times, over the year up to now. The items are copied as
 * stored, so versions may store a sale in different ways, as long as headers are ordered by id.
 */
export async function copySales(settings: Settings, count: number, now: number): Promise<void> {
  const client = clientTo(settings);
  const table = settings['TABLE_NAME'] ?? '';
  const sale = await latestSale(client, table);
  const first = Number(sale['id']?.N) + 1;
  await skipIds(client, table, sale, count);
  const ids = Array.from({ length: count }, (_, index) => first + index);
  for (const some of splitEvery(ids, STEP)) {
    const items = some.map((id) => copyOf(sale, id, now - ((first + count - id) * YEAR_MS) / count));
    await mapConcurrent(splitEvery(items, BATCH), WRITERS, (batch) => {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      return client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    });
  }
  client.destroy();
}

function clientTo(settings: Settings): DynamoDBClient {
  return new DynamoDBClient({
    region: settings['AWS_REGION'] ?? '',
    endpoint: settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    credentials: {
      accessKeyId: settings['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: settings['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  });
}

async function latestSale(client: DynamoDBClient, table: string): Promise<Stored> {
  const input = {
    TableName: table,
    FilterExpression: 'begins_with(pk, :sales)',
    ExpressionAttributeValues: { ':sales': { S: 'sale#family-' } },
  };
  const found: Stored[] = [];
  for await (const { Items = [] } of paginateScan({ client }, input)) {
    found.push(...Items.filter(({ sk }) => /^\d+$/.test(sk?.S ?? '')));
  }
  const [latest] = found.toSorted((a, b) => Number(b['created_at']?.N) - Number(a['created_at']?.N));
  if (!latest) throw new Error('The service keeps no sale where it is looked for');
  return latest;
}

/**
 * Allocates the ids of the copies, so that the next sale comes after them. Versions before 24 November 2026
 * have an item for each counter.
 */
async function skipIds(client: DynamoDBClient, table: string, sale: Stored, count: number): Promise<void> {
  const tenant = sale['pk']?.S?.slice('sale'.length);
  const places = [
    { pk: `sequences${tenant}`, sk: 'last', counter: 'sale' },
    { pk: `sequence${tenant}`, sk: 'sale', counter: 'last' },
  ];
  await Promise.any(
    places.map(({ pk, sk, counter }) =>
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: 'ADD #counter :count',
          ConditionExpression: '#counter = :id',
          ExpressionAttributeNames: { '#counter': counter },
          ExpressionAttributeValues: { ':count': { N: String(count) }, ':id': { N: sale['id']?.N ?? '' } },
        }),
      ),
    ),
  );
}

function copyOf(sale: Stored, id: number, at: number): Record<string, AttributeValue> {
  const digits = sale['sk']?.S?.length ?? 0;
  const time = { N: String(Math.floor(at)) };
  return {
    ...sale,
    sk: { S: String(id).padStart(digits, '0') },
    id: { N: String(id) },
    code: { S: `#${id}` },
    created_at: time,
    updated_at: time,
  };
}
