import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { sealCursor } from '#lib/sync/cursor.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { feedEpoch } from '#lib/table/feed/epoch.ts';
import { appendToFeed, feedEnd } from '#lib/table/feed/pages.ts';
import { familyTenant, padId } from '#lib/table/keys.ts';
import { TimestampField } from '#lib/values/time.ts';
import { directorAs, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { SyncReader, typesQuery } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const ask = (token: string, query: string) => call(`GET /company/sync?${query}`, { token });

test('types are required at the first call, and a copy needs the right to list each', async () => {
  const family = await newFamily();
  const unknown = await ask(family.director, '');
  expect([unknown.status, Object.keys(Object(unknown.body).errors)]).toEqual([422, ['types']]);
  expect((await ask(family.director, 'types[]=product.brands')).status).toBe(422);
  const employee = await newEmployee(family, ['company.product.brand.index']);
  expect((await ask(employee, 'types[]=product.brand')).status).toBe(200);
  expect((await ask(employee, 'types[]=company.company')).status).toBe(200);
  expect((await ask(employee, 'types[]=product.brand&types[]=product.unit')).status).toBe(403);
  expect((await ask(employee, 'types[]=stock.supplier.operation')).status).toBe(403);
});

test('one to forty types are asked for, twice the same is once', async () => {
  const { director } = await newFamily();
  const twice = (times: number) => Array.from({ length: times }, () => 'types[]=product.unit').join('&');
  expect((await ask(director, twice(40))).status).toBe(200);
  const { status, body } = await ask(director, twice(41));
  expect([status, Object.keys(Object(body).errors)]).toEqual([422, ['types']]);
});

test.each([
  ['stock.supplier.operation', 'company.stock.supplier.operations'],
  ['cashbox.transfer', 'company.cashbox.cashbox.transfers'],
  ['trade.sale.return', 'company.trade.sale.return.index'],
])('%s needs the right %s', async (type, right) => {
  const family = await newFamily();
  const [holder, other] = await Promise.all([newEmployee(family, [right]), newEmployee(family, [])]);
  expect((await ask(holder, `types[]=${type}`)).status).toBe(200);
  expect((await ask(other, `types[]=${type}`)).status).toBe(403);
});

test('a cursor has at most a thousand characters, of all types too, and longer ones are refused', async () => {
  const { director } = await newFamily();
  const copy = await new SyncReader(director).catchUp();
  for (const each of copy.cursors) expect(each.length).toBeLessThanOrEqual(1000);
  expect((await ask(director, `cursor=${'x'.repeat(1001)}`)).status).toBe(422);
});

test('each page tells the time of the call (Part 5, 5B.12 (1))', async () => {
  const { director } = await newFamily();
  const copy = new SyncReader(director, { types: ['product.unit'] });
  const first = await copy.ask();
  await copy.catchUp();
  const last = await copy.ask();
  for (const { body } of [first, last]) {
    const { now } = Object(body);
    expect(now).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(Math.abs(TimestampField.parse(now) - Date.now())).toBeLessThan(60_000);
  }
});

test('limit is 1 to 500', async () => {
  const { director } = await newFamily();
  for (const limit of [0, 501]) {
    expect((await ask(director, `types[]=product.unit&limit=${limit}`)).status).toBe(422);
  }
});

test('a cursor of another user, a forged one and one of other types are 422 on cursor', async () => {
  const { director, companyId } = await newFamily();
  const copy = new SyncReader(director, { types: ['product.unit', 'product.brand'] });
  await copy.readPage();
  const { cursor = '' } = copy;
  expect(cursor.length).toBeLessThanOrEqual(1000);
  const other = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const [text = '', sign = ''] = cursor.split('.');
  for (const [token, query] of [
    [other.token, `cursor=${cursor}`],
    [director, `cursor=${text}x.${sign}`],
    [director, `cursor=${text}`],
    [director, `cursor=nonsense`],
    [director, `cursor=${cursor}&types[]=product.unit`],
  ] as const) {
    const { status, body } = await ask(token, query);
    expect([status, Object.keys(Object(body).errors ?? {})]).toEqual([422, ['cursor']]);
  }
  const same = typesQuery(['product.brand', 'product.unit']);
  expect((await ask(director, `cursor=${cursor}&${same}`)).status).toBe(200);
});

test('a cursor lives 30 days, and ends with the epoch and the reach: 410, each with its reason (Part 4, 4.1 (6))', async () => {
  const { director, directorId, companyId } = await newFamily();
  const copy = new SyncReader(director, { types: ['product.unit'] });
  await copy.readPage();
  const actor = directorAs(directorId, companyId);
  const whole = {
    types: ['product.unit'],
    epoch: await feedEpoch(actor.tenant),
    reach: '',
    start: 0,
    place: { type: 0, id: 0, looked: 0 },
  } as const;
  const codeOf = async (cursor: string) => {
    const { status, body } = await ask(director, `cursor=${cursor}`);
    return [status, Object(body).code];
  };
  const late = sealCursor(actor, whole, Date.now() - 31 * DAY_MS);
  expect(await codeOf(late)).toEqual([410, 'sync.cursor_too_old']);
  expect(await codeOf(sealCursor(actor, { ...whole, epoch: 'another' }, Date.now()))).toEqual([
    410,
    'sync.begin_again',
  ]);
  expect(await codeOf(sealCursor(actor, whole, Date.now()))).toEqual([410, 'sync.reach_changed']);
});

test('a cursor behind which pages of the feed are gone must begin again: 410', async () => {
  const { director, companyId } = await newFamily();
  const tenant = familyTenant(companyId);
  const copy = await new SyncReader(director, { types: ['product.unit'] }).catchUp();
  const end = await feedEnd(tenant);
  for (const id of [1, 2]) await appendToFeed(tenant, [['product.unit', id, null, null, null]], Date.now());
  const Key = { pk: `feed#${tenant}`, sk: padId(end + 1) };
  await dynamo.send(new DeleteCommand({ TableName: tableName(), Key }));
  // Changes made by the family's creation may come before the gap.
  await vi.waitFor(async () => {
    const reply = await copy.ask();
    if (reply.status === 200) await copy.readPage();
    expect(reply).toMatchObject({ status: 410, body: { code: 'sync.begin_again' } });
  }, MAX_WAIT_MS);
});

test('over 30 answers with nothing left in a minute of the clock are 429 (Part 4, 4.1 (8))', async () => {
  const { director } = await newFamily();
  const copy = await new SyncReader(director, { types: ['product.service'] }).catchUp();
  const statuses: number[] = [];
  for (let each = 0; each < 61; each++) statuses.push((await copy.ask()).status);
  expect(statuses).toContain(429);
  const refused = await copy.ask();
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
});
