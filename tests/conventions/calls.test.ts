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

test('a refusal without its code is found, and a 422 whose codes are not those of its errors', () => {
  const message = 'Не найдено';
  expect(() => requireCodes(callOf(404, { message, code: 'http.not_found' }))).not.toThrow();
  expect(() => requireCodes(callOf(404, { message }))).toThrow('without its code');
  expect(() => requireCodes(callOf(404, { message, code: 'http.unheard_of' }))).toThrow('without its code');
  const code = 'validation.required';
  const wrong = { message, code, errors: { name: [message] } };
  expect(() => requireCodes(callOf(422, { ...wrong, codes: { name: [code] } }))).not.toThrow();
  expect(() => requireCodes(callOf(422, { ...wrong, codes: { title: [code] } }))).toThrow('not those');
});

test('an answer with one record and no ETag is found', () => {
  expect(() => requireTag(callOf(200, { id: 1 }))).toThrow('without an ETag');
});
