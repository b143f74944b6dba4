import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/response.ts';
import { getItem } from '#lib/table/read/get.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { newEvent } from '#tests/support/event.ts';
import { newFamily } from '#tests/support/family.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => void vi.restoreAllMocks());

const logged = () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

test('an internal failure is 500 with only the id of the request; the log has all of it', async () => {
  const broken = endpoint({
    right: 'anyone',
    response: Confirmation,
    run: () => {
      throw new Error('the password of the vault is 1234');
    },
  });
  const [event, context] = newEvent();
  const { statusCode, body, headers } = await broken(event, context);
  const { requestId } = event.requestContext;
  expect([statusCode, JSON.parse(body), headers['x-request-id']]).toEqual([
    500,
    { message: 'Внутренняя ошибка. Сообщите номер запроса в поддержку.', code: 'http.internal' },
    requestId,
  ]);
  expect(logged()).toMatchObject([
    { level: 'error', request_id: requestId, detail: 'the password of the vault is 1234' },
    { level: 'info', request_id: requestId, status: 500 },
  ]);
});

test('a table that is too busy is 503 with Retry-After', async () => {
  const busy = endpoint({
    right: 'anyone',
    response: Confirmation,
    run: () => {
      throw Object.assign(new Error('busy'), { name: 'ThrottlingException' });
    },
  });
  const { statusCode, headers } = await busy(...newEvent());
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
});

test('an operation that a business rule forbids is 400, with the message in the caller’s language', async () => {
  const forbidding = endpoint({
    right: 'anyone',
    response: Confirmation,
    run: () => {
      throw badRequest('user.protected');
    },
  });
  const { statusCode, body } = await forbidding(...newEvent({ headers: { 'accept-language': 'oz' } }));
  expect([statusCode, JSON.parse(body)]).toEqual([
    400,
    { params: {}, message: 'Bu foydalanuvchini o‘chirib bo‘lmaydi.', code: 'user.protected' },
  ]);
});

test('a call leaves one line: request, actor, route, duration and consumed capacity, and no secret', async () => {
  const { director, directorId } = await newFamily();
  const working = endpoint({
    right: 'signed-in',
    body: z.object({ new_password: z.string() }),
    response: Confirmation,
    run: async ({ actor }) => void (await getItem({ pk: 'test', sk: String(actor.id) })),
  });
  lines = [];
  const [event, context] = newEvent({
    method: 'POST',
    rawQueryString: '',
    headers: { authorization: `Bearer ${director}`, 'content-type': 'application/json' },
    body: '{"new_password":"Hidden-2026"}',
  });
  const { statusCode } = await working(event, context);
  expect(statusCode).toBe(200);
  expect(logged()).toEqual([
    {
      level: 'info',
      message: 'request',
      request_id: event.requestContext.requestId,
      at: event.requestContext.timeEpoch,
      method: 'POST',
      route: 'POST /test',
      path: '/test',
      status: 200,
      actor: directorId,
      actor_type: 'director',
      duration_ms: expect.any(Number),
      table_ms: expect.any(Number),
      table_calls: 2,
      round_trips: 2,
      capacity_units: expect.any(Number),
      written_units: expect.any(Number),
    },
  ]);
  expect(lines.join()).not.toMatch(/Hidden-2026|Bearer|eyJ/);
});

test('the call of a program is logged by its id, and never by its key', async () => {
  const { id, key } = await newProgramKey(await newFamily(), ['company.product.brand.index']);
  const reading = endpoint({ right: 'company.product.brand.index', response: Confirmation, run: () => {} });
  lines = [];
  const headers = { authorization: `Bearer ${key}` };
  const [event, context] = newEvent({ rawPath: '/company/product/brand', headers });
  expect((await reading(event, context)).statusCode).toBe(200);
  expect(logged()).toMatchObject([{ actor: id, actor_type: 'key', status: 200 }]);
  expect(lines.join()).not.toMatch(/rk_|Bearer/);
});
