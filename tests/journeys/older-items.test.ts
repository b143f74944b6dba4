import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { newClock } from '#bin/local/clock.ts';
import { createTable } from '#bin/local/database.ts';
import { startServer } from '#bin/local/server.ts';
import { enter, type Person } from '#bin/program/person.ts';
import { readBooks } from '#bin/verify/family.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { pieces } from '#lib/values/pieces.ts';

/*
 * While a deployment goes on, old and new code work side by side on the same items, and items live longer
 * than any code. So what an earlier version wrote is read, changed and audited here by this one.
 */

const ITEMS = join(import.meta.dirname, 'older-items/before-part-3.json.gz');
/** The day after those items were written. What a desk's day counts begins with the code that counts it. */
const NEXT_DAY = Date.parse('2026-11-22T19:45:00Z');
const PASSWORD = 'Demo-2026-shop';

type StoredItem = Record<string, AttributeValue>;

let server: Server;
let address: string;
let familyId: number;
let director: Person;

beforeAll(async () => {
  const items = z.array(z.custom<StoredItem>()).parse(JSON.parse(gunzipSync(readFileSync(ITEMS)).toString()));
  const table = `older-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', table);
  Object.assign(process.env, { TABLE_NAME: table, LOG_LEVEL: 'silent' });
  for (const batch of pieces(items, 25)) {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    await new DynamoDBClient().send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
  const clock = newClock();
  clock.set(NEXT_DAY);
  server = await startServer(await discoverRoutes(), async () => undefined, clock, 0);
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  const person = items.find(({ username }) => username?.S?.startsWith('director-'));
  familyId = Number(person?.['family_id']?.N);
  director = await enter(address, person?.['username']?.S ?? '', PASSWORD);
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const Rows = z.object({ data: z.array(z.looseObject({ id: z.int() })) });

async function rowsOf(path: string) {
  return Rows.parse((await director.call(`GET ${path}`)).body).data;
}

async function expectBooks(): Promise<void> {
  const { violations, counts } = await readBooks(familyId);
  expect(violations.map(({ book, subject, what }) => `${book}: ${subject} ${what}`)).toEqual([]);
  expect(counts.size).toBeGreaterThan(5);
}

test('the books that an earlier version wrote add up for this one', expectBooks);

test.each([
  '/company/trade/sale',
  '/company/trade/hold',
  '/company/trade/inventory',
  '/company/trade/writeoff',
  '/company/trade/purchase',
  '/company/trade/recalculation-batch',
  '/company/client/client',
  '/company/client/debt',
  '/company/cashbox/cashbox',
  '/company/stock/supplier',
  '/company/product/product',
  '/company/user/user',
])('%s lists and shows what an earlier version wrote', async (path) => {
  const rows = await rowsOf(path);
  expect(rows).not.toEqual([]);
  for (const { id } of rows) await director.call(`GET ${path}/${id}`);
});

test('a cheque of an earlier version is taken back, and its desk and shelf sell on', async () => {
  const [sale] = (await rowsOf('/company/trade/sale?filter[status]=completed')).slice(-1);
  const { stock_id, cashbox_id } = z
    .looseObject({ stock_id: z.int(), cashbox_id: z.int() })
    .parse((await director.call(`GET /company/trade/sale/${sale?.id}`)).body);
  const transactions = [{ payment_type: 'cash', amount: 4000 }];
  const cheque = { cashbox_id, stock_id, currency: 'uzs', transactions };
  await director.call('POST /company/trade/sale', {
    ...cheque,
    products: [{ product_id: 1, sold_quantity: 1 }],
  });
  const paid = z
    .object({ transactions: z.array(z.object({ payment_type: z.string(), amount: z.number() })) })
    .parse((await director.call(`GET /company/trade/sale/${sale?.id}`)).body);
  const back = paid.transactions.map(({ payment_type, amount }) => ({ payment_type, amount }));
  await director.call(`PATCH /company/trade/sale/${sale?.id}/return`, { transactions: back });
  await expectBooks();
});

test('a debt of an earlier version is paid, though nothing stands open beside it', async () => {
  const Owed = z.object({ client_id: z.int(), remaining_amount: z.number() });
  const open = '/company/client/debt?filter[status][]=not_repaid&filter[status][]=partially_repaid';
  const [debt] = (await rowsOf(open)).map((row) => Owed.parse(row));
  const [desk] = await rowsOf('/company/cashbox/cashbox?filter[type]=sale');
  const payments = [{ payment_type: 'cash', amount: debt?.remaining_amount }];
  const json = { client_id: debt?.client_id, cashbox_id: desk?.id, payments };
  await director.call('POST /company/client/debt-payment', json);
  await expectBooks();
});
