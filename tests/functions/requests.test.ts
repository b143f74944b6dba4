import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { fieldsOf } from '#infra/reference/descriptions/fields.ts';
import { jsonSchemaOf } from '#infra/reference/schemas.ts';
import { discoverRoutes } from '#infra/routes.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import { readBody } from '#lib/http/steps/body.ts';
import type { CallContext } from '#lib/http/steps/call-log.ts';
import { readInput } from '#lib/http/steps/input.ts';
import { newMeter } from '#lib/table/request-context.ts';
import { firstOf, subschema } from '#lib/values/by-schema.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { newEvent } from '#tests/support/event.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn, make } from '#tests/support/records.ts';

const operations = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.entries(endpoints).map(([method, { metadata }]) => ({ request: `${method} ${path}`, metadata })),
);
const withBody = operations.filter(({ metadata }) => metadata.body);
const withQuery = operations.flatMap(({ request, metadata }) =>
  metadata.query ? [{ request, metadata, query: metadata.query }] : [],
);

let token: string;

beforeAll(async () => {
  ({ director: token } = await newFamily());
});

/** Writes a text in windows-1251. */
function cyrillic(text: string): number[] {
  return [...text].map((letter) => {
    const code = letter.charCodeAt(0);
    return code < 128 ? code : code - 0x410 + 0xc0;
  });
}

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...(typeof part === 'string' ? Buffer.from(part) : part)]));
}

/** Writes the body of a brand. */
function json(name: string): string {
  return JSON.stringify({ name, image_old_keys: '[]' });
}

const MARK = [0xef, 0xbb, 0xbf];

/** Sends bytes as they are. */
async function sendBytes(request: string, body: Uint8Array<ArrayBuffer>, type: string, more = {}) {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, ...more };
  const response = await fetch(`${inject('address')}${path}`, { method, headers, body });
  const { name, codes, code } = Object(await response.json());
  return { status: response.status, ...(response.ok ? { name } : { codes: codes ?? code }) };
}

const MALFORMED = { status: 422, codes: { body: ['http.malformed_body'] } };
const UNSUPPORTED = { status: 415, codes: 'http.unsupported_media' };
const BRAND = 'POST /company/product/brand';

/** Reads a body as an operation reads it. Returns its content, or the status of the refusal. */
async function read(metadata: Metadata, body: Uint8Array, headers: Record<string, string>) {
  const [event, context] = newEvent({
    headers,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });
  const state: CallContext = { ...context, call: { meter: newMeter(), began: 0 } };
  return readBody(metadata, event, state).catch(({ status }: { status: number }) => status);
}

describe('a JSON body', () => {
  test('may have a mark before it (Contract 9.128)', async () => {
    const body = bytesOf(MARK, json('Метка'));
    expect(await sendBytes(BRAND, body, 'application/json')).toEqual({ status: 200, name: 'Метка' });
  });

  test('is UTF-8, or windows-1251 where it says so (Contract 9.128)', async () => {
    const body = bytesOf('{"image_old_keys":"[]","name":"', cyrillic('Чай'), '"}');
    expect(await sendBytes(BRAND, body, 'application/json')).toEqual(MALFORMED);
    expect(await sendBytes(BRAND, body, 'application/json; charset=utf-8')).toEqual(MALFORMED);
    expect(await sendBytes(BRAND, body, 'application/json; charset="koi8-r"')).toEqual(UNSUPPORTED);
    expect(await sendBytes(BRAND, body, 'application/json; charset=none')).toEqual(UNSUPPORTED);
    const told = await sendBytes(BRAND, body, 'application/json; charset=Windows-1251');
    expect(told).toEqual({ status: 200, name: 'Чай' });
  });

  test('is not packed (Contract 9.128)', async () => {
    const body = bytesOf(json('Пакет'));
    const packed = { 'content-encoding': 'gzip' };
    expect(await sendBytes(BRAND, body, 'application/json', packed)).toEqual(UNSUPPORTED);
  });

  test('is read so by every operation (Contract 9.128)', async () => {
    const type = { 'content-type': 'application/json' };
    for (const { request, metadata } of withBody) {
      const reads = [
        await read(metadata, bytesOf(MARK, '{}'), type),
        await read(metadata, bytesOf('{"a":"', cyrillic('Я'), '"}'), type),
        await read(metadata, bytesOf('{}'), { 'content-type': 'application/json;charset=utf-16le' }),
        await read(metadata, bytesOf('{}'), { ...type, 'content-encoding': 'br' }),
      ];
      expect(reads, request).toEqual([{}, 422, 415, 415]);
    }
  });
});

/** Writes the parts of a form, each with its headers. */
function formBytes(...parts: readonly (readonly [headers: string, value: string | readonly number[]])[]) {
  const written = parts.flatMap(([headers, value]) => [
    `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  return [...written, '--x--\r\n'];
}

const FORM = 'multipart/form-data; boundary=x';
const KEYS = ['name="image_old_keys"', '[]'] as const;
const JSON_PART = '\r\nContent-Type: application/json';

describe('a form', () => {
  test('may have a mark before it, and before its first field (Contract 9.128)', async () => {
    const before = bytesOf(MARK, ...formBytes(['name="name"', 'Один'], KEYS));
    expect(await sendBytes(BRAND, before, FORM)).toEqual({ status: 200, name: 'Один' });
    const inside = bytesOf(...formBytes(['name="name"', [...MARK, ...Buffer.from('Два')]], KEYS));
    expect(await sendBytes(BRAND, inside, FORM)).toEqual({ status: 200, name: 'Два' });
  });

  test('has parts of the charsets of a body (Contract 9.128)', async () => {
    const part = (type: string) => bytesOf(...formBytes([`name="name"${type}`, cyrillic('Мята')], KEYS));
    const typed = (charset: string) => part(`\r\nContent-Type: text/plain; charset=${charset}`);
    expect(await sendBytes(BRAND, part(''), FORM)).toEqual({
      status: 422,
      codes: { name: ['http.malformed_body'] },
    });
    expect(await sendBytes(BRAND, typed('koi8-r'), FORM)).toEqual(UNSUPPORTED);
    expect(await sendBytes(BRAND, typed('windows-1251'), FORM)).toEqual({ status: 200, name: 'Мята' });
    const whole = `${FORM}; charset=windows-1251`;
    const other = bytesOf(...formBytes(['name="name"', cyrillic('Мед')], KEYS));
    expect(await sendBytes(BRAND, other, whole)).toEqual({ status: 200, name: 'Мед' });
  });

  test('has parts of JSON, which are read as the same field of JSON is (Contract 9.129)', async () => {
    const named = bytesOf(
      ...formBytes([`name="name"${JSON_PART}; charset=utf-8`, '"В \\"кавычках\\""'], KEYS),
    );
    expect(await sendBytes(BRAND, named, FORM)).toEqual({ status: 200, name: 'В "кавычках"' });
    const broken = bytesOf(...formBytes([`name="name"${JSON_PART}`, '"'], KEYS));
    expect(await sendBytes(BRAND, broken, FORM)).toMatchObject({
      codes: { name: ['http.malformed_body'] },
    });
    const schema = z.object({
      name: z.object({ ru: z.string(), is_new: z.boolean() }),
      ids: z.array(z.int()),
      price: z.number(),
    });
    const body = bytesOf(
      ...formBytes(
        [`name="name"${JSON_PART}`, '{"ru":"Чай","is_new":"1"}'],
        [`name="ids[]"${JSON_PART}`, '3'],
        [`name="ids[]"${JSON_PART}`, '"4"'],
        [`name="price"${JSON_PART}`, '"1000.5"'],
      ),
    );
    const metadata = { right: 'staff', response: z.unknown(), body: schema } as const;
    expect(await read(metadata, body, { 'content-type': FORM })).toEqual({
      name: { ru: 'Чай', is_new: true },
      ids: [3, 4],
      price: 1000.5,
    });
  });

  test('says a field once that is no list (Contract 9.129)', async () => {
    const body = bytesOf(...formBytes(['name="name"', 'Раз'], ['name="name"', 'Два'], KEYS));
    expect(await sendBytes(BRAND, body, FORM)).toEqual({
      status: 422,
      codes: { name: ['validation.duplicate'] },
    });
  });
});

describe('a query', () => {
  test('is UTF-8 (Contract 9.128)', async () => {
    const errors = await errorsIn('/company/product/brand?filter[name]=%D7%E0%E9', token);
    expect(Object.keys(Object(errors))).toEqual(['query']);
    expect((await call('GET /company/product/brand?filter[name]=%D0%A7%%25', { token })).status).toBe(200);
  });

  test('has lists by repeated names, as axios and Retrofit write them (Contract 9.129)', async () => {
    const ids = [];
    for (const name of ['Один', 'Два', 'Три'])
      ids.push(
        await make('/company/client/bonus-tariff', token, {
          name: `Список ${name}`,
          percent: 1,
        }),
      );
    const [first, second] = ids;
    const found = await call(`GET /company/client/bonus-tariff?filter[id]=${first}&filter[id]=${second}`, {
      token,
    });
    expect(
      found
        .rows()
        .map((row) => row.number('id'))
        .sort(),
    ).toEqual([first, second]);
  });

  test('has every parameter that is no list once, at every operation (Contract 9.129)', async () => {
    for (const { request, metadata, query } of withQuery) {
      const fields = fieldsOf(jsonSchemaOf(query, 'parameter'));
      const lists = fields.filter(({ name }) => name.endsWith('[]')).map(({ name }) => name.slice(0, -2));
      const single = fields
        .map(({ name }) => name)
        .filter((name) => !/\[\]$/.test(name) && !lists.includes(name));
      const twice = single.flatMap((name) => [`${name}=1`, `${name}=1`]).join('&');
      const path = Object.fromEntries(
        [...request.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name === 'type' ? 'stock' : '1']),
      );
      const [event] = newEvent({
        rawQueryString: twice,
        pathParameters: path,
      });
      const told = await readInput(metadata, event, {}).then(
        () => ({}),
        ({ fields: wrong = {} }: { fields?: object }) => wrong,
      );
      const duplicates = Object.entries(told).filter(([, { key }]) => key === 'validation.duplicate');
      const expected = single.map((name) => name.replaceAll(/\[([^\]]*)\]/g, '.$1'));
      expect(duplicates.map(([name]) => name).sort(), request).toEqual(expected.sort());
    }
  });
});

interface Place {
  readonly path: readonly string[];
  /** Required siblings, with fixed values. */
  readonly beside: object;
}

/** Finds the fields of a body that take numbers, but no texts. */
function numbersIn(schema: unknown, path: readonly string[] = [], beside = {}): Place[] {
  const first = firstOf(schema);
  if (first instanceof z.ZodNumber) return [{ path, beside }];
  if (first instanceof z.ZodArray) return numbersIn(subschema(first, 0), [...path, '0'], beside);
  if (first instanceof z.ZodUnion) {
    const options = first.options.map(firstOf);
    if (options.some((option) => option instanceof z.ZodString)) return [];
    return options.flatMap((option) => numbersIn(option, path, literalsOf(option)));
  }
  if (!(first instanceof z.ZodObject)) return [];
  return Object.keys(first.shape).flatMap((name) =>
    numbersIn(subschema(first, name), [...path, name], beside),
  );
}

function literalsOf(schema: unknown): object {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (field instanceof z.ZodLiteral ? [[name, field.value]] : [])),
  );
}

/** Puts a value at a path: `['a', '0']` is a list in `a`. */
function valueAt(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value);
}

describe('a number of a JSON body', () => {
  test('may be its text in one spelling, at every operation (Contract 9.130)', () => {
    const all = withBody.flatMap(({ request, metadata }) =>
      numbersIn(metadata.body).map((place) => ({ request, ...place, body: metadata.body })),
    );
    expect(all.length).toBeGreaterThan(250);
    for (const { request, path, beside, body } of all) {
      const told = `${request} ${path.join('.')}`;
      const bodyWith = (value: unknown) => Object.assign(Object(valueAt(path, value)), beside);
      const readAs = (value: unknown) => fromJson(body, { parsed: bodyWith(value), text: '{}' });
      expect(readAs('2'), told).toEqual(bodyWith(2));
      expect(readAs('-1000.5'), told).toEqual(bodyWith(-1000.5));
      for (const other of ['+2', '02', '1e3', ' 2', '2.50', '2.', '.5', '-0', '', '0x2', 'NaN']) {
        expect(readAs(other), told).toEqual(bodyWith(other));
      }
    }
  });

  test('is so over HTTP, and another spelling is 422 (Contract 9.130)', async () => {
    const path = '/company/client/bonus-tariff';
    const made = await call(`POST ${path}`, { token, json: { name: 'Число', percent: '2.5' } });
    expect(made).toMatchObject({ status: 200, body: { percent: 2.5 } });
    for (const percent of ['+2', '02', '1e3', ' 2', '2.50']) {
      const { body } = await call(`POST ${path}`, { token, json: { name: `Число ${percent}`, percent } });
      expect(Object(body).codes, percent).toEqual({ percent: ['validation.not_number'] });
    }
  });
});
