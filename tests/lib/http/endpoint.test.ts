import { expect, test } from 'vitest';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call, formOf } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';

const BRANDS = '/company/product/brand';

test('without a token, or with a malformed or foreign one, the answer is 401 with a message', async () => {
  for (const authorization of [undefined, 'Bearer', 'Bearer x.y.z', 'Basic YTpi']) {
    const reply = await call(`GET ${BRANDS}`, { headers: authorization ? { authorization } : {} });
    expect(reply).toMatchObject({ status: 401, body: { message: 'Требуется вход в систему.' } });
  }
});

test('the wrong type of user for the path is 403 with a message', async () => {
  const token = await newSuperAdministrator();
  expect(await call(`GET ${BRANDS}`, { token })).toMatchObject({
    status: 403,
    body: { message: 'Недостаточно прав для этой операции.' },
  });
});

test('an unknown path is 404, and a known one with another method 405', async () => {
  expect((await call('GET /company/product/brands')).status).toBe(404);
  expect((await call(`PATCH ${BRANDS}`)).status).toBe(405);
  expect((await call(`PUT ${BRANDS}/1/restore`)).status).toBe(405);
});

test.each(['abc', '0', '-1', '1.5', '99999999999999999999'])('the record id %s is 404', async (id) => {
  const { director } = await newFamily();
  expect((await call(`GET ${BRANDS}/${id}`, { token: director })).status).toBe(404);
});

test('POST with _method stands for PUT and DELETE, in JSON and in multipart', async () => {
  const { director: token } = await newFamily();
  const id = await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  const path = `${BRANDS}/${id}?_method=`;
  const json = await call(`POST ${path}PUT`, { token, json: { name: 'Beko', image_old_keys: '[]' } });
  expect(json).toMatchObject({ status: 200, body: { name: 'Beko' } });
  const form = await call(`POST ${path}put`, {
    token,
    form: formOf({ name: 'Candy', image_old_keys: '[]' }),
  });
  expect(form).toMatchObject({ status: 200, body: { name: 'Candy' } });
  expect((await call(`POST ${path}DELETE`, { token })).status).toBe(200);
});

test('a wrong _method is 405', async () => {
  const { director: token } = await newFamily();
  for (const request of [
    `POST ${BRANDS}/1?_method=PATCH`,
    `POST ${BRANDS}/1?_method=GET`,
    `POST ${BRANDS}/1`,
    `POST ${BRANDS}?_method=DELETE`,
    `GET ${BRANDS}?_method=DELETE`,
  ]) {
    expect((await call(request, { token })).status, request).toBe(405);
  }
});

test.each([
  [`PATCH ${BRANDS}`, 'GET, POST'],
  [`GET ${BRANDS}?_method=DELETE`, 'GET, POST'],
  [`PATCH ${BRANDS}/1`, 'GET, POST, PUT, DELETE'],
  [`POST ${BRANDS}/1?_method=PATCH`, 'GET, POST, PUT, DELETE'],
  [`POST ${BRANDS}/1`, 'GET, POST, PUT, DELETE'],
  [`PUT ${BRANDS}/1/restore`, 'POST, DELETE'],
  [`PATCH ${BRANDS}/import`, 'GET, POST, PUT, DELETE'],
])('%s is 405 and tells the methods of its path', async (request, allowed) => {
  const { director: token } = await newFamily();
  const { status, headers } = await call(request, { token });
  expect([status, headers.get('allow')]).toEqual([405, allowed]);
});

test('all failing parameters are named at once', async () => {
  const { director: token } = await newFamily();
  const query = 'filter[colour]=red&filter[id]=x&sort[]=name&with[]=nothing&page=0&page-size=21&foo=1';
  const { status, body } = await call(`GET ${BRANDS}?${query}`, { token });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: {
      'filter.colour': ['Неизвестный параметр.'],
      'filter.id': ['Значение должно быть числом.'],
      'sort.0': ['Допустимые значения: id, -id.'],
      'with.0': ['Допустимые значения: creator.profile, company.'],
      page: ['Не меньше 1.'],
      'page-size': ['Не больше 20.'],
      foo: ['Неизвестный параметр.'],
    },
  });
});

test('the message repeats the first of the errors, in the language of Accept-Language', async () => {
  const { director: token } = await newFamily();
  const said = { ru: 'Обязательное поле.', uz: 'Мажбурий майдон.', oz: 'Majburiy maydon.' };
  for (const [language, text] of Object.entries(said)) {
    const reply = await call(`POST ${BRANDS}`, { token, json: {}, headers: { 'accept-language': language } });
    expect(reply).toMatchObject({ status: 422, body: { message: text, errors: { name: [text] } } });
  }
});

test('a body that cannot be read is 422, one of another content type 415', async () => {
  const { director: token } = await newFamily();
  const headers = { 'content-type': 'application/json' };
  const broken = await fetchBody(token, '{"name":', headers);
  expect(broken.status).toBe(422);
  expect((await fetchBody(token, 'name=Artel', { 'content-type': 'text/plain' })).status).toBe(415);
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await fetchBody(token, '--x\r\nnonsense', form)).status).toBe(422);
});

test('a body over Lambda’s limit is 413', async () => {
  const { director: token } = await newFamily();
  const reply = await call(`POST ${BRANDS}`, { token, json: { name: 'x'.repeat(6 * 1024 * 1024) } });
  expect(reply).toMatchObject({
    status: 413,
    body: { message: 'Request Entity Too Large' },
  });
});

test('every answer carries the id of its request', async () => {
  const { director: token } = await newFamily();
  const replies = await Promise.all([
    call(`GET ${BRANDS}`, { token }),
    call(`GET ${BRANDS}/1`, { token }),
    call(`GET ${BRANDS}`),
    call('GET /nowhere'),
    call(`PATCH ${BRANDS}`),
  ]);
  const ids = replies.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(replies.length);
  expect(ids).not.toContain(null);
});

test('a browser of any origin may call', async () => {
  const { headers, status } = await call(`OPTIONS ${BRANDS}`, {
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'DELETE' },
  });
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  expect(headers.get('access-control-allow-methods')).toContain('DELETE');
});

function fetchBody(token: string, body: string, headers: Record<string, string>) {
  return call(`POST ${BRANDS}`, { token, headers, text: body });
}
