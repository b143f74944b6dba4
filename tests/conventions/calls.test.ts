import { expect, test } from 'vitest';
import { Reply } from '#bin/cli/person.ts';
import { type RecordedTestCall, recordTestCall, takeRecordedCalls } from '#tests/support/call-recorder.ts';
import { requireCodes, requireTag } from '#tests/support/rules.ts';

const path = '/company/product/brand/1';

function callOf(status: number, body: Reply['body'], headers = new Headers()): RecordedTestCall {
  const reply = new Reply(status, headers, body);
  return { request: `GET ${path}`, sent: { headers: {} }, reply, text: '', stale: undefined };
}

test('a call is noted', () => {
  recordTestCall(callOf(200, { id: 1 }, new Headers({ etag: '"1"' })));
});

test('and judged when its test is over', () => {
  expect(takeRecordedCalls()).toEqual([]);
});

test('a refusal without its code is found, and a 422 whose codes or params are not those of its errors', () => {
  const message = 'Не найдено';
  expect(() => requireCodes(callOf(404, { message, code: 'http.not_found' }))).not.toThrow();
  expect(() => requireCodes(callOf(404, { message }))).toThrow('without its code');
  expect(() => requireCodes(callOf(404, { message, code: 'http.unheard_of' }))).toThrow('without its code');
  const code = 'validation.required';
  const wrong = { message, code, errors: { name: [message] }, params: { name: [{}] } };
  expect(() => requireCodes(callOf(422, { ...wrong, codes: { name: [code] } }))).not.toThrow();
  expect(() => requireCodes(callOf(422, { ...wrong, codes: { title: [code] } }))).toThrow('not those');
  const others = { ...wrong, codes: { name: [code] }, params: { name: [{ max: 1 }] } };
  expect(() => requireCodes(callOf(422, others))).toThrow('not those');
  const rule = { message, code: 'key.too_many' };
  expect(() => requireCodes(callOf(400, { ...rule, params: { max: 20 } }))).not.toThrow();
  for (const its of [{ params: {} }, { params: { max: '20' } }, { params: { min: 20 } }, {}]) {
    expect(() => requireCodes(callOf(400, { ...rule, ...its }))).toThrow('without its code');
  }
});

test('an answer with one record and no ETag is found', () => {
  expect(() => requireTag(callOf(200, { id: 1 }))).toThrow('without an ETag');
});
