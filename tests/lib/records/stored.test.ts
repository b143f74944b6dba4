import { expect, test } from 'vitest';
import * as z from 'zod';
import { bundles } from '#lib/catalog/bundle.ts';
import { products } from '#lib/catalog/card.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { parseRecord, parseStored } from '#lib/records/stored.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { Money } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

let decoded = 0;

const Counted = z.codec(z.int(), z.string(), {
  decode: (held) => {
    decoded += 1;
    return String(held);
  },
  encode: Number,
});

const Inner = z.object({ counted: Counted });

const WithCodecs: [string, z.ZodType, unknown][] = [
  ['a codec', Counted, 1],
  ['an object', Inner, { counted: 1 }],
  ['an object in an object', z.object({ inner: Inner }), { inner: { counted: 1 } }],
  ['a list', z.array(Inner), [{ counted: 1 }, { counted: 2 }]],
  ['a record', z.record(z.enum(['a', 'b']), Counted), { a: 1, b: 2 }],
  ['a record that may lack keys', z.partialRecord(z.enum(['a', 'b']), Counted), { a: 1 }],
  ['what may be null or left out', z.object({ counted: Counted.nullish() }), { counted: 1 }],
  ['what may be null', Counted.nullable(), 1],
  ['what may be left out', z.object({ counted: Counted.optional() }), { counted: 1 }],
  ['a default', z.object({ counted: Counted.default('0') }), { counted: 1 }],
  ['a choice', z.union([z.boolean(), Counted]), 1],
  [
    'a choice by a field',
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('a'), counted: Counted }),
      z.object({ type: z.literal('b') }),
    ]),
    { type: 'a', counted: 1 },
  ],
  ['both of two', Inner.and(z.object({ other: Counted })), { counted: 1, other: 2 }],
  ['a codec with more behind it', Counted.pipe(z.string().transform(Number)), 1],
  ['a limit on what is shown', Inner.refine(({ counted }) => counted === '1'), { counted: 1 }],
];

test.each(WithCodecs)('what is held is checked without being rendered: %s', (_, schema, held) => {
  decoded = 0;
  expect(parseStored(schema, held)).toBe(held);
  expect(decoded).toBe(0);
  expect(() => parseStored(schema, 'text')).toThrow('does not fit its schema');
});

test('what may be left out, be null or stand by default is as the schema says', () => {
  const Fields = z.object({ a: Money.optional(), b: Money.nullable(), c: Money.default(0) });
  const fits = (held: unknown) => () => parseStored(Fields, held);
  expect(fits({ b: null })).not.toThrow();
  expect(fits({ a: 1, b: 2, c: 3 })).not.toThrow();
  expect(fits({})).toThrow();
  expect(fits({ a: null, b: null })).toThrow();
  expect(fits({ b: null, c: null })).toThrow();
});

test('what is shown does not pass for what is held', () => {
  expect(() => parseStored(Timestamp, '2026-11-21 10:00:00')).toThrow();
  expect(() => parseStored(Money, 1.5)).toThrow();
  expect(() => parseStored(z.object({ amounts: z.array(Money) }), { amounts: [100, 0.5] })).toThrow();
});

test('a stored record has a version', () => {
  expect(parseRecord(Inner, { counted: 1, version: 3 })).toMatchObject({ version: 3 });
  expect(() => parseRecord(Inner, { counted: 1 })).toThrow('no version');
  expect(() => parseRecord(Inner, { counted: 1, version: 'x' })).toThrow('no version');
});

const TYPES = { bundles, companies, debts, products, receipts: goodsReceipts, roles, sales, users };

test.each(Object.entries(TYPES))('a record of which a field is missing is a defect: %s', (_, { schema }) => {
  expect(() => parseStored(schema, { id: 1, version: 1 })).toThrow('does not fit its schema');
});
