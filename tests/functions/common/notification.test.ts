import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newPartner } from '#tests/support/external.ts';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { NOTIFICATIONS, notificationsOf, notifyUser } from '#tests/support/notifications.ts';
import { insertUser } from '#tests/support/users.ts';

let admin: string;

beforeAll(async () => {
  admin = await newSuperAdministrator();
});

const newReader = async () => insertUser({ type: 'partner', partner_id: await newPartner() });

const idsOf = async (token: string, query: string) =>
  (await notificationsOf(token, query)).map(({ id }) => id);

test('a notification has exactly the documented fields, and is seen once it has been read (Part 5, 5B.11)', async () => {
  const reader = await newReader();
  const text = `Склад закрыт ${randomUUID()}`;
  const id = await notifyUser(admin, reader, { text, type: 'announcement' });
  const told = {
    id,
    type: 'announcement',
    params: { text, kind: null, record_id: null },
    is_seen: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    text,
  };
  const { body } = await call(`GET ${NOTIFICATIONS}`, { token: reader.token });
  expect(body).toMatchObject({ meta: { total: 1, per_page: 10 } });
  expect(body).toHaveProperty('data', [told]);
  const read = await call(`GET ${NOTIFICATIONS}/${id}`, { token: reader.token });
  expect(read).toMatchObject({ status: 200, body: { id, is_seen: true, text } });
  expect(await notificationsOf(reader.token)).toMatchObject([{ id, is_seen: true }]);
  expect((await call(`GET ${NOTIFICATIONS}/${id}`, { token: reader.token })).body).toEqual(read.body);
});

test('filters by id, type and whether it is seen; sorts by id both ways; ten to a page', async () => {
  const reader = await newReader();
  const [a, b, c] = [
    await notifyUser(admin, reader, { type: 'announcement' }),
    await notifyUser(admin, reader),
    await notifyUser(admin, reader),
  ];
  await call(`GET ${NOTIFICATIONS}/${b}`, { token: reader.token });
  const ids = (query: string) => idsOf(reader.token, query);
  expect(await ids('')).toEqual([c, b, a]);
  expect(await ids('sort[]=id')).toEqual([a, b, c]);
  expect(await ids(`filter[id]=${a}`)).toEqual([a]);
  expect(await ids(`filter[id][]=${a}&filter[id][]=${c}`)).toEqual([c, a]);
  expect(await ids('filter[type]=message')).toEqual([c, b]);
  expect(await ids('filter[is_seen]=1')).toEqual([b]);
  expect(await ids('filter[is_seen]=0&filter[type]=message')).toEqual([c]);
  expect(await ids('page=2&page-size=2')).toEqual([a]);
  for (const [query, name] of [
    ['page-size=11', 'page-size'],
    ['filter[text]=x', 'filter.text'],
    ['sort[]=created_at', 'sort.0'],
    ['show[]=with-deleted', 'show'],
  ]) {
    const { status, body } = await call(`GET ${NOTIFICATIONS}?${query}`, { token: reader.token });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [`${name}`]: [expect.any(String)] } });
  }
});

test("another user's notification is 404, and stays unseen", async () => {
  const [reader, other] = [await newReader(), await newReader()];
  const id = await notifyUser(admin, reader);
  expect((await call(`GET ${NOTIFICATIONS}/${id}`, { token: other.token })).status).toBe(404);
  expect((await call(`GET ${NOTIFICATIONS}/${id}`, { token: admin })).status).toBe(404);
  expect(await notificationsOf(other.token)).toEqual([]);
  await call(`PATCH ${NOTIFICATIONS}/see-all`, { token: other.token });
  expect(await notificationsOf(reader.token)).toMatchObject([{ id, is_seen: false }]);
});

test('see-all marks every one as seen, as often as it is called, and confirms in the caller’s language', async () => {
  const reader = await newReader();
  for (let each = 0; each < 3; each++) await notifyUser(admin, reader);
  for (const [language, message] of [
    ['ru', 'Успешно'],
    ['uz', 'Муваффақиятли'],
    ['oz', 'Muvaffaqiyatli'],
  ]) {
    expect(
      await call(`PATCH ${NOTIFICATIONS}/see-all`, {
        token: reader.token,
        headers: { 'accept-language': `${language}` },
      }),
    ).toMatchObject({ status: 200, body: { message } });
    expect(await notificationsOf(reader.token, 'filter[is_seen]=0')).toEqual([]);
  }
  expect(await notificationsOf(reader.token, 'filter[is_seen]=1')).toHaveLength(3);
  const post = await call(`POST ${NOTIFICATIONS}/see-all?_method=PATCH`, { token: reader.token });
  expect(post.status).toBe(200);
});
