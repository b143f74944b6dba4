import { expect, test } from 'vitest';
import * as z from 'zod';
import { digits } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';

const Body = z.object({ card_number: digits(16), amount: z.number() });

function read(text: string): unknown {
  return fromJson(Body, { parsed: JSON.parse(text), text });
}

test('a number of digits is read as it was written, others as numbers (Contract 8)', () => {
  expect(read('{"card_number": 9860123456789013, "amount": 1.50}')).toEqual({
    card_number: '9860123456789013',
    amount: 1.5,
  });
  expect(read('{"card_number": "9860123456789013", "amount": 1}')).toEqual({
    card_number: '9860123456789013',
    amount: 1,
  });
});

test('only the own field counts, and its last value, as JSON.parse takes it', () => {
  expect(read('{"other": {"card_number": 1}, "card_number": 2, "card_number": 3}')).toEqual({
    other: { card_number: 1 },
    card_number: '3',
  });
  expect(read('[1]')).toEqual([1]);
  expect(read('{"card_number": 1e3}')).toEqual({ card_number: '1e3' });
});
