import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { readBody } from '#lib/http/steps/body.ts';
import { type CallContext, type CallRequest, errorResponses, requestLog } from '#lib/http/steps/call-log.ts';
import { authenticate, countCall } from '#lib/http/steps/caller.ts';
import { readInput, withoutOverride } from '#lib/http/steps/input.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';
import { newMeter } from '#lib/table/request-context.ts';
import { notFound } from '#lib/values/api-error.ts';
import { newEvent } from '#tests/support/event.ts';
import { newFamily } from '#tests/support/family.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

const PLAIN = { response: z.unknown() };

/** Creates a call as API Gateway sends it. */
function served(given: Parameters<typeof newEvent>[0] = {}): CallRequest {
  const [event, context] = newEvent(given);
  const state: CallContext = { ...context, call: { meter: newMeter(), began: 0 } };
  return { event, context: state, response: null, error: null, internal: {} };
}

const json = (body: string): Partial<APIGatewayProxyEventV2> => ({
  headers: { 'content-type': 'application/json' },
  body,
});

test('the method override heeds `_method` once, and refuses another method than is served', () => {
  const { event } = served({ method: 'PUT', rawQueryString: '_method=put&page=2' });
  expect(withoutOverride(event).rawQueryString).toBe('page=2');
  const other = served({ method: 'PUT', rawQueryString: '_method=DELETE' });
  expect(() => withoutOverride(other.event)).toThrow(expect.objectContaining({ status: 405 }));
});

test('the caller is who the token says, and nobody if anyone may call', async () => {
  const { director, directorId } = await newFamily();
  const { event } = served({ headers: { authorization: `Bearer ${director}` } });
  expect(await authenticate({ ...PLAIN, right: 'company.product.brand.index' }, event)).toMatchObject({
    actor: { id: directorId },
  });
  expect((await authenticate({ ...PLAIN, right: 'anyone' }, served().event)).actor).toBeUndefined();
  await expect(authenticate({ ...PLAIN, right: 'signed-in' }, served().event)).rejects.toMatchObject({
    status: 401,
  });
});

test('a call without a key is never a repetition', async () => {
  const { director } = await newFamily();
  const { event } = served({ headers: { authorization: `Bearer ${director}` } });
  const call = await authenticate({ ...PLAIN, right: 'staff', idempotent: true }, event);
  expect([call.repetition, call.kept]).toEqual([undefined, undefined]);
});

test('a repetition is of whom the token names: without a valid one, the key is not even looked at', async () => {
  const operation = { ...PLAIN, right: 'staff', idempotent: true } as const;
  const headers = { authorization: 'Bearer none', 'idempotency-key': 'not a key' };
  await expect(authenticate(operation, served({ headers }).event)).rejects.toMatchObject({ status: 401 });
  const { director } = await newFamily();
  const known = served({ headers: { ...headers, authorization: `Bearer ${director}` } });
  await expect(authenticate(operation, known.event)).rejects.toMatchObject({ status: 422 });
});

test('a limit counts the calls of a caller, and refuses those beyond it', async () => {
  const { director, directorId } = await newFamily();
  const limit = { name: `steps-${directorId}`, max: 1, seconds: 60 };
  const operation = { ...PLAIN, right: 'staff', limit } as const;
  const { event } = served({ headers: { authorization: `Bearer ${director}` } });
  const { actor } = await authenticate(operation, event);
  if (!actor) throw new Error('Nobody was let in');
  const { timeEpoch } = event.requestContext;
  await countCall(operation, actor, timeEpoch);
  await expect(countCall(operation, actor, timeEpoch)).rejects.toMatchObject({ status: 429 });
});

function bodyOf(given: Parameters<typeof newEvent>[0]): Promise<unknown> {
  const { event, context } = served(given);
  return readBody({ ...PLAIN, right: 'staff', body: z.object({}) }, event, context);
}

test('a JSON body is parsed; one of another type is 415, one that cannot be read 422', async () => {
  expect(await bodyOf(json('{"a":1}'))).toEqual({ a: 1 });
  expect(await bodyOf({})).toBeUndefined();
  const text = { headers: { 'content-type': 'text/plain' }, body: 'a' };
  await expect(bodyOf(text)).rejects.toMatchObject({ status: 415 });
  await expect(bodyOf(json('{'))).rejects.toMatchObject({ status: 422 });
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
  expect(await bodyOf({ headers, body: form })).toMatchObject({
    name: { ru: 'Вода' },
    images: [{ filename: '1.png' }, { filename: '2.png' }],
  });
});

test('the input is what the schemas leave; a path that no record can have is 404 before fields are looked at', async () => {
  const operation = {
    ...PLAIN,
    right: 'staff',
    query: z.strictObject({ page: z.int() }),
    body: z.object({ name: z.string() }),
  } as const;
  const good = served({ rawQueryString: 'page=2', pathParameters: { model: '7' } });
  expect(await readInput(operation, good.event, { name: 'a' })).toMatchObject({
    id: 7,
    query: { page: 2 },
    body: { name: 'a' },
  });
  const wrong = served({ rawQueryString: 'page=x', pathParameters: { model: '7' } });
  await expect(readInput(operation, wrong.event, {})).rejects.toMatchObject({
    status: 422,
    fields: { page: {}, name: {} },
  });
  const nowhere = served({ rawQueryString: 'page=x', pathParameters: { model: 'seven' } });
  await expect(readInput(operation, nowhere.event, undefined)).rejects.toMatchObject({ status: 404 });
});

test('an error becomes an answer, and every answer has the id of its request', async () => {
  const request = { ...served(), error: notFound() };
  await errorResponses().onError?.(request);
  await requestLog({}).onError?.(request);
  expect(request.response).toMatchObject({
    statusCode: 404,
    headers: { 'x-request-id': request.event.requestContext.requestId },
  } satisfies Partial<LambdaResponse>);
});
