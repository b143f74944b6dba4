import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { userTenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { newPartner } from '#tests/support/external.ts';
import { newEmployee, newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { BROADCASTS, notificationsOf, waitForNotification } from '#tests/support/notifications.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { insertUser } from '#tests/support/users.ts';

let admin: string;

beforeAll(async () => {
  admin = await newSuperAdministrator();
});

function send(given: object, token = admin, headers = {}) {
  const json = { user_query: null, type: 'message', text: randomUUID(), ...given };
  return call(`POST ${BROADCASTS}`, { token, json, headers });
}

const textsOf = async (token: string) => (await notificationsOf(token)).map(({ text }) => text);

/** Creates an administrator with the right, to whom only this company is open. */
async function responsibleFor(companyId: number) {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.user.notification.store'] });
  const limits = { are_all_companies_available: false, responsibility_ids: [companyId] };
  return insertUser({ type: 'admin', role_id, ...limits });
}

test.each([null, '', ' ', '?'])('the query %j tells all users within reach', async (user_query) => {
  const [mine, other] = [await newFamily(), await newFamily()];
  const employee = await newEmployee(mine, []);
  const partner = await insertUser({ type: 'partner', partner_id: await newPartner() });
  const limited = await responsibleFor(mine.companyId);
  const text = randomUUID();
  expect(await send({ user_query, text }, limited.token)).toMatchObject({
    status: 200,
    body: { message: 'Успешно' },
  });
  for (const token of [mine.director, employee, limited.token, admin]) await waitForNotification(token, text);
  for (const token of [other.director, partner.token]) expect(await textsOf(token)).toEqual([]);
});

test('the query chooses as the list of users does', async () => {
  const [mine, other] = [await newFamily(), await newFamily()];
  const employee = await newEmployee(mine, []);
  const texts = [randomUUID(), randomUUID(), randomUUID()];
  const company = `filter[company_id][]=${mine.companyId}&filter[company_id][]=${other.companyId}`;
  await send({ user_query: `${company}&filter[type]=director`, text: texts[0] });
  await send({ user_query: `filter%5Bcompany_id%5D=${mine.companyId}&show[]=with-deleted`, text: texts[1] });
  await send({ user_query: `filter[id]=${other.directorId}`, text: texts[2] });
  for (const [token, told] of [
    [mine.director, [texts[1], texts[0]]],
    [other.director, [texts[2], texts[0]]],
    [employee, [texts[1]]],
  ] as const) {
    for (const text of told) await waitForNotification(token, `${text}`);
    expect(new Set(await textsOf(token))).toEqual(new Set(told));
  }
});

test('deleted users are notified only if requested', async () => {
  const gone = await insertUser({ type: 'partner', partner_id: await newPartner() });
  await call(`DELETE /admin/user/user/${gone.id}`, { token: admin });
  const [without, only] = [randomUUID(), randomUUID()];
  await send({ user_query: `filter[id]=${gone.id}`, text: without });
  await send({ user_query: `filter[id]=${gone.id}&show[]=only-deleted`, text: only });
  // Recipients are chosen when the worker comes to them. The deleted user can't call the API, so the table is
  // read.
  const mine = { type: 'notification', tenant: userTenant(gone.id) };
  const all = { where: [], sort: { field: 'id', descending: true }, page: 1, pageSize: 1 };
  await vi.waitFor(async () => expect((await listItems(mine, all)).total).toBe(1), MAX_WAIT_MS);
  await call(`DELETE /admin/user/user/${gone.id}/restore`, { token: admin });
  const back = await call(`PATCH /admin/user/user/${gone.id}/auth-as`, { token: admin });
  const { token } = z.object({ token: z.string() }).parse(back.body);
  await waitForNotification(token, only);
  expect(await textsOf(token)).toEqual([only]);
});

test('an administrator of chosen companies cannot name users of others', async () => {
  const [mine, other] = [await newFamily(), await newFamily()];
  const { token } = await responsibleFor(mine.companyId);
  const both = `filter[id][]=${mine.directorId}&filter[id][]=${other.directorId}`;
  const [theirs, ours, last] = [randomUUID(), randomUUID(), randomUUID()];
  await send({ text: theirs, user_query: `filter[company_id]=${other.companyId}` }, token);
  await send({ text: ours, user_query: both }, token);
  await send({ text: last, user_query: both });
  await waitForNotification(mine.director, ours);
  await waitForNotification(other.director, last);
  expect(await textsOf(other.director)).toEqual([last]);
});

test('without the right it is 403', async () => {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] });
  const { token } = await insertUser({ type: 'admin', role_id });
  expect((await send({}, token)).status).toBe(403);
});

test.each([
  ['filter[colour]=red', 'filter.colour'],
  ['colour=red', 'colour'],
  ['filter[type]=nobody', 'filter.type'],
  ['filter[id]=x', 'filter.id'],
  ['show[]=all', 'show.0'],
  ['page=1', 'page'],
])('the query %s is 422 on user_query, which names the parameter', async (user_query, name) => {
  const { status, body } = await send({ user_query });
  expect(status).toBe(422);
  expect(body).toEqual({
    message: `Неверный параметр отбора: ${name}.`,
    errors: { user_query: [`Неверный параметр отбора: ${name}.`] },
    code: 'broadcast.wrong_filter',
    codes: { user_query: ['broadcast.wrong_filter'] },
    params: { user_query: [{ name }] },
  });
});

test.each([
  ['ru', 'Обязательное поле.', 'Неверный параметр отбора: colour.'],
  ['uz', 'Мажбурий майдон.', 'Нотўғри танлов параметри: colour.'],
  ['oz', 'Majburiy maydon.', 'Noto‘g‘ri tanlov parametri: colour.'],
])('what is wrong is told in %s, all fields at once', async (language, required, wrong) => {
  const headers = { 'accept-language': language };
  const given = { user_query: undefined, type: undefined, text: undefined };
  expect((await send(given, admin, headers)).body).toMatchObject({
    errors: { user_query: [required], type: [required], text: [required] },
  });
  expect((await send({ user_query: 'colour=red', text: ' ' }, admin, headers)).body).toMatchObject({
    errors: { user_query: [wrong], text: [required] },
  });
});

test('limits of type and length', async () => {
  const { status, body } = await send({
    user_query: `filter[username_or_phone]=${'x'.repeat(1000)}`,
    type: 'order',
    text: 'x'.repeat(10_001),
  });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: {
      user_query: ['Не длиннее 1000 символов.'],
      type: ['Допустимые значения: announcement, message.'],
      text: ['Не длиннее 10000 символов.'],
    },
  });
});
