import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { EventType } from '#lib/webhooks/event.ts';
import {
  newEmployee,
  newFamily,
  newFamilyWithBranch,
  newRole,
  newSuperAdministrator,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { addWebhook, deliveriesOf, startReceiver, verify } from '#tests/support/receiver.ts';
import { errorsOf, errorWith, idsOf } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const PATH = '/company/webhook';
const FIELDS = ['id', 'url', 'description', 'types', 'is_active', 'disabled_at', 'disabled_reason'];
const OTHERS = ['failing_since', 'last_delivered_at', 'creator_id', 'created_at', 'updated_at'];

/** Lists the calls that change a webhook, or read its deliveries. */
function changesOf(id: number, json: object): { readonly request: string; readonly json?: object }[] {
  return [
    { request: `PUT ${PATH}/${id}`, json },
    ...[
      `DELETE ${PATH}/${id}`,
      `POST ${PATH}/${id}/test`,
      `POST ${PATH}/${id}/rotate-secret`,
      `GET ${PATH}/${id}/deliveries`,
      `POST ${PATH}/${id}/deliveries/1/redeliver`,
    ].map((request) => ({ request })),
  ];
}

test('a webhook is added, found, changed and removed for good (Part 4, 4.2)', async () => {
  const { director: token, directorId } = await newFamily();
  const { url } = await startReceiver();
  const json = { url, types: ['trade.sale.created', 'product.brand.*'], description: 'Web shop' };
  const added = await call(`POST ${PATH}`, { token, json });
  expect(added.status).toBe(200);
  expect(added.text('secret')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const id = added.number('id');
  const own = { ...json, is_active: true, disabled_at: null, disabled_reason: null, creator_id: directorId };
  const shown = await call(`GET ${PATH}/${id}`, { token });
  expect(shown.body).toMatchObject({ ...own, failing_since: null, last_delivered_at: null });
  expect(Object.keys(z.looseObject({}).parse(shown.body)).sort()).toEqual([...FIELDS, ...OTHERS].sort());
  const list = await call(`GET ${PATH}?filter[is_active]=1`, { token });
  expect(list.body).toMatchObject({ data: [own], meta: { total: 1 } });
  expect(JSON.stringify(list.body)).not.toContain('secret');
  expect(await idsOf(PATH, token, `filter[id]=${id}`)).toEqual([id]);
  expect(await idsOf(PATH, token, `filter[id]=${id + 1}`)).toEqual([]);

  const changed = await call(`PUT ${PATH}/${id}`, { token, json: { url, types: ['user.user.updated'] } });
  expect(changed.body).toMatchObject({ types: ['user.user.updated'], description: null, is_active: true });
  expect(changed.body).not.toHaveProperty('secret');
  const asleep = { url, types: ['user.user.updated'], is_active: false };
  expect((await call(`PUT ${PATH}/${id}`, { token, json: asleep })).body).toMatchObject({
    is_active: false,
    disabled_at: expect.any(String),
    disabled_reason: null,
  });
  expect(await idsOf(PATH, token, 'filter[is_active]=1')).toEqual([]);

  expect((await call(`DELETE ${PATH}/${id}`, { token })).status).toBe(200);
  expect((await call(`GET ${PATH}/${id}`, { token })).status).toBe(404);
  expect(await idsOf(PATH, token)).toEqual([]);
});

test('kinds of events are 1 to 120 of those that there are, each once (Part 4, 4.2)', async () => {
  const { director: token } = await newFamily();
  const { url } = await startReceiver();
  const wrong = (types: readonly unknown[]) => errorsOf(`POST ${PATH}`, token, { url, types });
  expect(Object.keys(await wrong([]))).toEqual(['types']);
  expect(EventType.options.length).toBeGreaterThan(121);
  expect(Object.keys(await wrong(EventType.options.slice(0, 121)))).toEqual(['types']);
  await addWebhook(token, url, EventType.options.slice(0, 120));
  expect(Object.keys(await wrong(['trade.sale.created', 'trade.sale.created']))).toEqual(['types']);
  expect(Object.keys(await wrong(['trade.sale.created', 'trade.sale', '*', 'trade.hold.done']))).toEqual([
    'types.1',
    'types.2',
    'types.3',
  ]);
});

test('the right to list each of its types is asked, 422 on types.<i> (Part 4, 4.2)', async () => {
  const family = await newFamily();
  const token = await newEmployee(family, ['company.webhook.*', 'company.product.brand.index']);
  const { url } = await startReceiver();
  const types = ['product.brand.*', 'trade.sale.created', 'company.company.updated', 'cashbox.transfer.*'];
  const text = translate('ru', { key: 'role.right_not_held' });
  expect(await errorsOf(`POST ${PATH}`, token, { url, types })).toEqual({ 'types.1': text, 'types.3': text });
  const { id } = await addWebhook(token, url, ['product.brand.*', 'company.company.updated']);
  expect(await errorsOf(`PUT ${PATH}/${id}`, token, { url, types })).toEqual({
    'types.1': text,
    'types.3': text,
  });
});

test('a url leads to a receiver and not to the service: 422 on url (Part 4, 4.2 (5))', async () => {
  const { director: token } = await newFamily();
  const types = ['trade.sale.created'];
  for (const [url, key] of [
    ['http://receiver.example/', 'webhook.url'],
    ['https://10.0.0.1/', 'webhook.url_not_public'],
    ['https://[::1]/', 'webhook.url_not_public'],
    [`${inject('address')}/company/webhook`, 'webhook.url_own'],
  ] as const) {
    expect(await errorsOf(`POST ${PATH}`, token, { url, types })).toEqual({ url: translate('ru', { key }) });
  }
});

test('a family has at most twenty, also of many at once; a removed one makes room (Part 4, 4.2)', async () => {
  const { director: token } = await newFamily();
  const { url } = await startReceiver();
  const json = { url, types: ['trade.sale.created'] };
  const replies = await Promise.all(Array.from({ length: 22 }, () => call(`POST ${PATH}`, { token, json })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await call(`POST ${PATH}`, { token, json })).toMatchObject(
    errorWith('webhook.too_many', { max: 20 }),
  );
  const [first] = await idsOf(PATH, token, 'page-size=20');
  await call(`DELETE ${PATH}/${first}`, { token });
  await addWebhook(token, url);
});

test('who does not hold what its creator holds may not touch it: 403 (Part 4, 4.2 (4))', async () => {
  const family = await newFamily();
  const { url } = await startReceiver();
  const { id } = await addWebhook(family.director, url);
  const token = await newEmployee(family, ['company.webhook.*', 'company.product.brand.index']);
  const json = { url, types: ['product.brand.*'] };
  for (const { request, ...sent } of changesOf(id, json)) {
    expect([request, (await call(request, { token, ...sent })).status]).toEqual([request, 403]);
  }
  expect((await call(`GET ${PATH}/${id}`, { token })).status).toBe(200);
  const own = await addWebhook(token, url);
  expect((await call(`PUT ${PATH}/${own.id}`, { token: family.director, json })).status).toBe(200);
});

test('who does not hold what its creator holds sees its url without its query (Part 4, 4.2 (4))', async () => {
  const family = await newFamily();
  const { url } = await startReceiver();
  const rights = ['company.webhook.*', 'company.product.brand.index'];
  const [clerk, equal, less] = await Promise.all([
    newEmployee(family, rights),
    newEmployee(family, rights),
    newEmployee(family, ['company.webhook.*']),
  ]);
  const secret = `${url}?token=secret`;
  const { id } = await addWebhook(clerk, secret, ['product.brand.*']);
  const seen = async (token: string) => {
    const one = await call(`GET ${PATH}/${id}`, { token });
    const list = await call(`GET ${PATH}`, { token });
    expect(list).toMatchObject({ body: { data: [{ url: one.text('url') }] } });
    return one.text('url');
  };
  expect(await seen(clerk)).toBe(secret);
  expect(await seen(equal)).toBe(secret);
  expect(await seen(family.director)).toBe(secret);
  expect(await seen(less)).toBe(url);
});

test('under auth-as a webhook is only looked at: 403 (Part 4, 4.2 (4))', async () => {
  const { director, directorId } = await newFamily();
  const { url } = await startReceiver();
  const { id } = await addWebhook(director, url);
  const acting = await call(`PATCH /admin/user/user/${directorId}/auth-as`, {
    token: await newSuperAdministrator(),
  });
  const token = acting.text('token');
  const json = { url, types: ['product.brand.*'] };
  for (const { request, ...sent } of [{ request: `POST ${PATH}`, json }, ...changesOf(id, json)]) {
    expect([request, (await call(request, { token, ...sent })).status]).toEqual([request, 403]);
  }
  expect((await call(`GET ${PATH}/${id}`, { token })).status).toBe(200);
});

test('a list shows the webhooks of companies that the caller reaches; of a company that they don’t reach: 404 (Part 4, 4.2 (4))', async () => {
  const { director, branchDirector } = await newFamilyWithBranch();
  const { url } = await startReceiver();
  const main = await addWebhook(director, url);
  const branch = await addWebhook(branchDirector, url);
  expect(await idsOf(PATH, director)).toEqual([main.id, branch.id]);
  expect(await idsOf(PATH, branchDirector)).toEqual([branch.id]);
  expect((await call(`GET ${PATH}/${main.id}`, { token: branchDirector })).status).toBe(404);
  const json = { url, types: ['product.brand.*'] };
  for (const { request, ...sent } of changesOf(main.id, json)) {
    expect([request, (await call(request, { token: branchDirector, ...sent })).status]).toEqual([
      request,
      404,
    ]);
  }
  const { director: stranger } = await newFamily();
  expect((await call(`GET ${PATH}/${main.id}`, { token: stranger })).status).toBe(404);
});

test('a test is sent now and answers its delivery; ten a minute a family (Part 4, 4.2)', async () => {
  const { director: token, companyId } = await newFamily();
  const receiver = await startReceiver((response) => void response.end('heard'));
  const { id, secret } = await addWebhook(token, receiver.url);
  const sent = await call(`POST ${PATH}/${id}/test`, { token });
  const attempts = [
    { status_code: 200, answer: 'heard', at: expect.any(String), duration_ms: expect.any(Number) },
  ];
  const told = { webhook_id: id, type: 'webhook.test', record_id: id, status: 'delivered', attempts };
  expect(sent.body).toMatchObject({ ...told, next_attempt_at: null });
  const [got] = receiver.got;
  if (!got) throw new Error('Nothing came');
  expect(verify(secret, got)).toMatchObject({
    type: 'webhook.test',
    data: { type: 'webhook', id, company_id: companyId },
  });
  expect(await deliveriesOf(token, id, '?filter[status]=delivered')).toMatchObject([{ status: 'delivered' }]);
  expect(await deliveriesOf(token, id, '?filter[status]=failed')).toEqual([]);

  receiver.answerBy((response) => void response.writeHead(500).end());
  expect((await call(`POST ${PATH}/${id}/test`, { token })).body).toMatchObject({ status: 'failed' });
  for (let times = 2; times < 10; times++) await call(`POST ${PATH}/${id}/test`, { token });
  expect((await call(`POST ${PATH}/${id}/test`, { token })).status).toBe(429);
  const [newest] = await deliveriesOf(token, id);
  const redelivered = await call(`POST ${PATH}/${id}/deliveries/${newest?.id}/redeliver`, { token });
  expect(redelivered.status).toBe(429);
});

test('a rotated secret signs beside the one before for a day (Part 4, 4.2)', async () => {
  const { director: token } = await newFamily();
  const receiver = await startReceiver();
  const { id, secret } = await addWebhook(token, receiver.url);
  const rotated = await call(`POST ${PATH}/${id}/rotate-secret`, { token });
  expect(rotated.text('secret')).not.toBe(secret);
  await call(`POST ${PATH}/${id}/test`, { token });
  const [got] = receiver.got;
  if (!got) throw new Error('Nothing came');
  expect(String(got.headers['webhook-signature']).split(' ')).toHaveLength(2);
  for (const each of [secret, rotated.text('secret')]) verify(each, got);
});

test('another url makes a new secret, which alone signs (Part 4, 4.2 (4))', async () => {
  const { director: token } = await newFamily();
  const [first, second] = [await startReceiver(), await startReceiver()];
  const { id, secret } = await addWebhook(token, first.url);
  const json = { url: second.url, types: ['product.brand.*'] };
  const moved = await call(`PUT ${PATH}/${id}`, { token, json });
  await call(`POST ${PATH}/${id}/test`, { token });
  const [got] = second.got;
  if (!got) throw new Error('Nothing came');
  verify(moved.text('secret'), got);
  expect(() => verify(secret, got)).toThrow();
  expect(first.got).toEqual([]);
});

test('a delivery that came to an end is sent once more, by the same webhook-id (Part 4, 4.2 (5))', async () => {
  const { director: token } = await newFamily();
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { id } = await addWebhook(token, receiver.url);
  const failed = await call(`POST ${PATH}/${id}/test`, { token });
  const delivery = failed.number('id');
  receiver.answerBy((response) => void response.end());
  const path = `${PATH}/${id}/deliveries/${delivery}/redeliver`;
  expect((await call(`POST ${path}`, { token })).body).toMatchObject({ id: delivery, status: 'pending' });
  await expect
    .poll(async () => deliveriesOf(token, id))
    .toMatchObject([{ id: delivery, status: 'delivered' }]);
  const [row] = await deliveriesOf(token, id);
  expect(row?.attempts.map(({ status_code }) => status_code)).toEqual([500, 200]);
  const ids = receiver.got.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  const unknown = `${PATH}/${id}/deliveries/999999/redeliver`;
  expect((await call(`POST ${unknown}`, { token })).status).toBe(404);
});

test('one that is pending is not sent again by hand: 400 (Part 4, 4.2 (5))', async () => {
  const { director: token } = await newFamily();
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { id } = await addWebhook(token, receiver.url);
  const delivery = (await call(`POST ${PATH}/${id}/test`, { token })).number('id');
  const path = `${PATH}/${id}/deliveries/${delivery}/redeliver`;
  expect((await call(`POST ${path}`, { token })).status).toBe(200);
  expect(await call(`POST ${path}`, { token })).toMatchObject(errorWith('webhook.delivery_pending'));
});

test('who does not hold every company that its creator holds may not touch it: 403 (Part 4, 4.2 (4))', async () => {
  const { director, companyId } = await newFamilyWithBranch();
  const { url } = await startReceiver();
  const place = { company_id: companyId, family_id: companyId, type: 'employee' } as const;
  const new_routes = ['company.webhook.*', 'company.product.brand.index'];
  const role_id = await newRole({ ...place, new_routes });
  const everywhere = await insertUser({ ...place, role_id, are_all_companies_available: true });
  const here = await insertUser({ ...place, role_id, are_all_companies_available: false });
  const { id } = await addWebhook(everywhere.token, url);
  expect((await call(`POST ${PATH}/${id}/rotate-secret`, { token: here.token })).status).toBe(403);
  expect((await call(`GET ${PATH}/${id}/deliveries`, { token: here.token })).status).toBe(403);
  const own = await addWebhook(here.token, url);
  for (const token of [everywhere.token, director]) {
    expect((await call(`GET ${PATH}/${own.id}/deliveries`, { token })).status).toBe(200);
  }
});

test('the four POSTs ignore Idempotency-Key (Part 4, 4.2)', async () => {
  const { director: token } = await newFamily();
  const { url } = await startReceiver();
  const headers = { 'idempotency-key': 'webhook-1' };
  const twice = async (path: string, json?: object) => [
    await call(`POST ${path}`, { token, headers, ...(json && { json }) }),
    await call(`POST ${path}`, { token, headers, ...(json && { json }) }),
  ];
  const added = await twice(PATH, { url, types: ['trade.sale.created'] });
  const [id = 0, other] = added.map((reply) => reply.number('id'));
  expect(other).not.toBe(id);
  const tested = await twice(`${PATH}/${id}/test`);
  const [delivery, another] = tested.map((reply) => reply.number('id'));
  expect(another).not.toBe(delivery);
  const [secret, next] = (await twice(`${PATH}/${id}/rotate-secret`)).map((reply) => reply.text('secret'));
  expect(next).not.toBe(secret);
  const again = await twice(`${PATH}/${id}/deliveries/${delivery}/redeliver`);
  for (const reply of [...added, ...tested, ...again]) {
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
  }
});
