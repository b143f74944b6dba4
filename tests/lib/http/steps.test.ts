import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { body } from '#lib/http/steps/body.ts';
import type { CallContext, Served, Step } from '#lib/http/steps/call-context.ts';
import { caller } from '#lib/http/steps/caller.ts';
import { errorAnswers } from '#lib/http/steps/error-answers.ts';
import { input } from '#lib/http/steps/input.ts';
import { limits } from '#lib/http/steps/limits.ts';
import { methodOverride } from '#lib/http/steps/method-override.ts';
import { requestLog } from '#lib/http/steps/request-log.ts';
import type { Answer } from '#lib/http/wire/answer.ts';
import { newMeter } from '#lib/table/call-scope.ts';
import { missing } from '#lib/values/refusal.ts';
import { newEvent } from '#tests/kit/event.ts';
import { newFamily } from '#tests/kit/family.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

const PLAIN = { answers: z.unknown() };

/** Makes a call as the step before would leave it. */
function served(given: Parameters<typeof newEvent>[0] = {}, call: object = {}): Served {
  const [event, context] = newEvent(given);
  const state: CallContext = { ...context, call: { meter: newMeter(), began: 0, ...call } };
  return { event, context: state, response: null, error: null, internal: {} };
}

async function before(step: Step, request: Served): Promise<Served['context']['call']> {
  await step.before?.(request);
  return request.context.call;
}

const json = (body: string): Partial<APIGatewayProxyEventV2> => ({
  headers: { 'content-type': 'application/json' },
  body,
});

test('the method override heeds `_method` once, and refuses another method than is served', async () => {
  const request = served({ method: 'PUT', rawQueryString: '_method=put&page=2' });
  await before(methodOverride(), request);
  expect(request.event.rawQueryString).toBe('page=2');
  const other = served({ method: 'PUT', rawQueryString: '_method=DELETE' });
  await expect(before(methodOverride(), other)).rejects.toMatchObject({ status: 405 });
});

test('the caller is who the token says, and nobody if anyone may call', async () => {
  const { director, directorId } = await newFamily();
  const request = served({ headers: { authorization: `Bearer ${director}` } });
  expect(await before(caller({ ...PLAIN, right: 'company.product.brand.index' }), request)).toMatchObject({
    actor: { id: directorId },
  });
  expect((await before(caller({ ...PLAIN, right: 'anyone' }), served())).actor).toBeUndefined();
  await expect(before(caller({ ...PLAIN, right: 'signed-in' }), served())).rejects.toMatchObject({
    status: 401,
  });
});

test('a call without a key is never a repetition', async () => {
  const { director } = await newFamily();
  const request = served({ headers: { authorization: `Bearer ${director}` } });
  const call = await before(caller({ ...PLAIN, right: 'staff', idempotent: true }), request);
  expect([call.repetition, call.kept]).toEqual([undefined, undefined]);
});

test('a repetition is of whom the token names: without a valid one, the key is not even looked at', async () => {
  const step = caller({ ...PLAIN, right: 'staff', idempotent: true });
  const headers = { authorization: 'Bearer none', 'idempotency-key': 'not a key' };
  await expect(before(step, served({ headers }))).rejects.toMatchObject({ status: 401 });
  const { director } = await newFamily();
  const known = served({ headers: { ...headers, authorization: `Bearer ${director}` } });
  await expect(before(step, known)).rejects.toMatchObject({ status: 422 });
});

test('a limit counts the calls of a caller, and refuses those beyond it', async () => {
  const { directorId: id } = await newFamily();
  const limit = { name: `steps-${id}`, most: 1, seconds: 60 };
  const step = limits(limit);
  const actor = { id };
  await before(step, served({}, { actor }));
  await expect(before(step, served({}, { actor }))).rejects.toMatchObject({ status: 429 });
});

test('a JSON body is parsed; one of another type is 415, one that cannot be read 422', async () => {
  const step = body({ right: 'staff', body: z.object({}) });
  expect((await before(step, served(json('{"a":1}')))).body).toEqual({ a: 1 });
  expect((await before(step, served())).body).toBeUndefined();
  const text = { headers: { 'content-type': 'text/plain' }, body: 'a' };
  await expect(before(step, served(text))).rejects.toMatchObject({ status: 415 });
  await expect(before(step, served(json('{')))).rejects.toMatchObject({ status: 422 });
});

test('a form keeps its fields in their order and with all brackets of their names', async () => {
  const form = [
    '--x y',
    'Content-Disposition: form-data; name="name[ru]"',
    '',
    'Вода',
    '--x y',
    'Content-Disposition: form-data; name="images[]"; filename="1.png"',
    '',
    'one',
    '--x y',
    'Content-Disposition: form-data; name="images[]"; filename="2.png"',
    '',
    'two',
    '--x y--',
    '',
  ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary="x y"' };
  const call = await before(body({ right: 'staff', body: z.object({}) }), served({ headers, body: form }));
  expect(call.body).toMatchObject({
    name: { ru: 'Вода' },
    images: [{ filename: '1.png' }, { filename: '2.png' }],
  });
});

test('the input is what the schemas leave; a path that no record can have is 404 before fields are looked at', async () => {
  const step = input({
    right: 'staff',
    query: z.strictObject({ page: z.int() }),
    body: z.object({ name: z.string() }),
  });
  const good = served({ rawQueryString: 'page=2', pathParameters: { model: '7' } }, { body: { name: 'a' } });
  expect((await before(step, good)).input).toMatchObject({ id: 7, query: { page: 2 }, body: { name: 'a' } });
  const wrong = served({ rawQueryString: 'page=x', pathParameters: { model: '7' } }, { body: {} });
  await expect(before(step, wrong)).rejects.toMatchObject({ status: 422, fields: { page: {}, name: {} } });
  const nowhere = served({ rawQueryString: 'page=x', pathParameters: { model: 'seven' } });
  await expect(before(step, nowhere)).rejects.toMatchObject({ status: 404 });
});

test('an error becomes an answer, and every answer has the id of its request', async () => {
  const request = { ...served(), error: missing() };
  await errorAnswers().onError?.(request);
  await requestLog({}).onError?.(request);
  expect(request.response).toMatchObject({
    statusCode: 404,
    headers: { 'x-request-id': request.event.requestContext.requestId },
  } satisfies Partial<Answer>);
});
