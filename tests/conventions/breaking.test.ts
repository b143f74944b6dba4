import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { breakingChanges } from '#bin/openapi/breaking.ts';
import { changesToName, lastRelease } from '#bin/openapi/changelog.ts';
import { ApiContract } from '#bin/openapi/contract.ts';

type Given = z.input<typeof ApiContract>;
type Operation = Given['paths'][string][string];
type JsonSchema = NonNullable<NonNullable<Given['components']['schemas']>[string]>;

const OK = { 200: {} };

/** Makes a contract that has one operation, and components if need be. */
function contractOf(operation: Partial<Operation>, schemas: Record<string, JsonSchema> = {}): ApiContract {
  const put = { operationId: 'rack.edit', responses: OK, ...operation };
  return ApiContract.parse({
    info: { version: '1.0.0' },
    security: [{ bearer: [] }],
    paths: { '/rack': { put } },
    components: { schemas },
  });
}

const jsonOf = (schema: JsonSchema) => ({ 'application/json': { schema } });
const sent = (schema: JsonSchema) => contractOf({ requestBody: { content: jsonOf(schema) } });
const received = (schema: JsonSchema) => contractOf({ responses: { 200: { content: jsonOf(schema) } } });
const query = (name: string, schema: JsonSchema = { type: 'string' }, required = false) => ({
  parameters: [{ name, in: 'query', required, schema }],
});

const TEXT: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'number' };
const WHOLE: JsonSchema = { type: 'integer' };
const NULLABLE: JsonSchema = { anyOf: [TEXT, { type: 'null' }] };
const NEVER: JsonSchema = { not: {} };

function objectOf(properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema {
  return { type: 'object', properties, required };
}

const kindOf = (kind: string, rest: Record<string, JsonSchema>) =>
  objectOf({ kind: { type: 'string', const: kind }, ...rest });

describe('of an operation', () => {
  const whole = contractOf({});

  test.each<[string, Partial<Operation>, Partial<Operation>, string[]]>([
    ['another id', {}, { operationId: 'rack.change' }, ['`PUT /rack` has operationId rack.change']],
    ['a parameter that is gone', query('page'), {}, ['`PUT /rack page` is removed']],
    ['a new parameter', {}, query('page'), []],
    ['a new one that is required', {}, query('page', TEXT, true), ['`PUT /rack page` is required']],
    ['one that is required now', query('page'), query('page', TEXT, true), ['`PUT /rack page` is required']],
    ['one that is optional now', query('page', TEXT, true), query('page'), []],
    ['one of another type', query('page'), query('page', WHOLE), ['`PUT /rack page` may not be string']],
    [
      'a body that is required now',
      { requestBody: { content: jsonOf(TEXT) } },
      { requestBody: { required: true, content: jsonOf(TEXT) } },
      ['`PUT /rack body` is required'],
    ],
    [
      'a form that is no longer taken',
      { requestBody: { content: { ...jsonOf(TEXT), 'multipart/form-data': { schema: TEXT } } } },
      { requestBody: { content: jsonOf(TEXT) } },
      ['`PUT /rack body multipart/form-data` is removed'],
    ],
    ['an answer that is gone', { responses: { ...OK, 302: {} } }, {}, ['`PUT /rack 302` is removed']],
    ['a refusal that is gone', { responses: { ...OK, 409: {} } }, {}, []],
    ['a new answer', {}, { responses: { ...OK, 302: {} } }, []],
    [
      'a header that is gone',
      { responses: { 200: { headers: { ETag: {} } } } },
      {},
      ['`PUT /rack 200 ETag` is removed'],
    ],
    [
      'a key that is no longer taken',
      { security: [{ bearer: [] }, { key: [] }] },
      {},
      ['`PUT /rack` is refused by key'],
    ],
    ['another way to sign in', {}, { security: [{ bearer: [] }, { key: [] }] }, []],
    ['that anyone may call', {}, { security: [] }, []],
    ['that not anyone may call', { security: [] }, {}, ['`PUT /rack` is refused without signing in']],
  ])('%s', (_, before, after, changes) => {
    expect(breakingChanges(contractOf(before), contractOf(after))).toEqual(changes);
  });

  test('its path or its method is gone', () => {
    const moved = { ...whole, paths: { '/racks': whole.paths['/rack'] ?? {} } };
    expect(breakingChanges(whole, moved)).toEqual(['`PUT /rack` is removed']);
    expect(breakingChanges(whole, { ...whole, paths: { '/rack': {} } })).toEqual(['`PUT /rack` is removed']);
    expect(breakingChanges({ ...whole, paths: {} }, whole)).toEqual([]);
  });

  test('a webhook is received: a field may come, and may not go', () => {
    const hook = (schema: JsonSchema) => ({ ...whole, webhooks: sent(schema).paths });
    const [small, large] = [objectOf({ id: WHOLE }), objectOf({ id: WHOLE, at: TEXT }, 'at')];
    expect(breakingChanges(hook(small), hook(large))).toEqual([]);
    expect(breakingChanges(hook(large), hook(small))).toEqual(['`PUT /rack body.at` is removed']);
  });
});

describe('of what is sent', () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['a field that is gone', objectOf({ a: TEXT }), objectOf({}), ['`PUT /rack body.a` is removed']],
    ['a new field', objectOf({}), objectOf({ a: TEXT }), []],
    [
      'a new field that is required',
      objectOf({}),
      objectOf({ a: TEXT }, 'a'),
      ['`PUT /rack body.a` is required'],
    ],
    [
      'a field of a line',
      { items: objectOf({ a: TEXT }) },
      { items: objectOf({}) },
      ['`PUT /rack body[].a` is removed'],
    ],
    ['another type', TEXT, WHOLE, ['`PUT /rack body` may not be string']],
    ['a narrower type', NUMBER, WHOLE, ['`PUT /rack body` may not be number']],
    ['a wider type', WHOLE, NUMBER, []],
    ['no null', NULLABLE, TEXT, ['`PUT /rack body` may not be null']],
    ['null, too', TEXT, NULLABLE, []],
    ['null, written as two types', TEXT, { type: ['string', 'null'] }, []],
    ['any value', TEXT, {}, []],
    ['not any value', {}, TEXT, ['`PUT /rack body` may not be anything']],
    ['nothing', TEXT, NEVER, ['`PUT /rack body` may not be string']],
    ['something', NEVER, TEXT, []],
    ['a value that is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, ['`PUT /rack body` has no value "b"']],
    ['a new value', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
    ['values only', TEXT, { type: 'string', enum: ['a'] }, ['`PUT /rack body` takes only "a"']],
    ['another constant', { const: 1 }, { const: 2 }, ['`PUT /rack body` has no value 1']],
    ['a greater least', { minimum: 0 }, { minimum: 1 }, ['`PUT /rack body` has minimum 1']],
    ['a smaller least', { minimum: 1 }, { minimum: 0 }, []],
    ['a first length', TEXT, { type: 'string', maxLength: 9 }, ['`PUT /rack body` has maxLength 9']],
    ['a greater length', { maxLength: 9 }, { maxLength: 10 }, []],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, ['`PUT /rack body` has pattern "b"']],
    ['no pattern', { pattern: 'a' }, {}, []],
    ['a format', TEXT, { type: 'string', format: 'date' }, ['`PUT /rack body` has format "date"']],
    ['another default', { default: 20 }, { default: 10 }, ['`PUT /rack body` has default 10']],
    ['a first default', {}, { default: 10 }, []],
    [
      'no other fields',
      { type: 'object' },
      { type: 'object', additionalProperties: false },
      ['`PUT /rack body` takes no other fields'],
    ],
    [
      'other fields of another type',
      { type: 'object', additionalProperties: TEXT },
      { type: 'object', additionalProperties: WHOLE },
      ['`PUT /rack body{}` may not be string'],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(breakingChanges(sent(before), sent(after))).toEqual(changes);
  });

  test('an alternative is compared with that of the same constant', () => {
    const both: JsonSchema = { oneOf: [kindOf('a', { x: TEXT }), kindOf('b', { x: WHOLE })] };
    const turned: JsonSchema = { oneOf: [kindOf('b', { x: NUMBER }), kindOf('a', { x: TEXT })] };
    expect(breakingChanges(sent(both), sent(turned))).toEqual([]);
    expect(breakingChanges(sent(both), sent({ oneOf: [kindOf('a', { x: TEXT })] }))).toEqual([
      '`PUT /rack body.kind` has no value "b"',
      '`PUT /rack body.x` may not be integer',
    ]);
  });
});

describe('of what is received', () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['a field that is gone', objectOf({ a: TEXT }), objectOf({}), ['`PUT /rack 200.a` is removed']],
    [
      'a field that may be absent',
      objectOf({ a: TEXT }, 'a'),
      objectOf({ a: TEXT }),
      ['`PUT /rack 200.a` may be absent'],
    ],
    ['a new field', objectOf({}), objectOf({ a: TEXT }, 'a'), []],
    ['another type', TEXT, WHOLE, ['`PUT /rack 200` may be integer']],
    ['a wider type', WHOLE, NUMBER, ['`PUT /rack 200` may be number']],
    ['a narrower type', NUMBER, WHOLE, []],
    ['null, too', TEXT, NULLABLE, ['`PUT /rack 200` may be null']],
    ['no null', NULLABLE, TEXT, []],
    ['any value', TEXT, {}, ['`PUT /rack 200` may be anything']],
    ['a value that is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, ['`PUT /rack 200` has no value "b"']],
    ['a new value', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
    [
      'a value of an open enumeration that is gone',
      { anyOf: [{ type: 'string', enum: ['a', 'b'] }, TEXT] },
      { anyOf: [{ type: 'string', enum: ['a'] }, TEXT] },
      ['`PUT /rack 200` has no value "b"'],
    ],
    [
      'an object of a new kind',
      { oneOf: [kindOf('a', { x: TEXT }), kindOf('b', { y: WHOLE })] },
      { oneOf: [kindOf('a', { x: TEXT }), kindOf('b', { y: WHOLE }), kindOf('c', { z: TEXT })] },
      [],
    ],
    ['another format', { format: 'date' }, { format: 'date-time' }, ['`PUT /rack 200` has format date-time']],
    ['another limit', { maximum: 1 }, { maximum: 0 }, []],
    ['another default', { default: 1 }, { default: 2 }, []],
  ])('%s', (_, before, after, changes) => {
    expect(breakingChanges(received(before), received(after))).toEqual(changes);
  });
});

describe('of a component', () => {
  const RACK: JsonSchema = { $ref: '#/components/schemas/Rack' };
  const operation = {
    responses: { 200: { content: jsonOf(RACK) }, 201: { content: jsonOf({ items: RACK }) } },
  };
  const racks = (Rack: JsonSchema) => contractOf(operation, { Rack });

  test('a change is told once, by its name', () => {
    expect(breakingChanges(racks(objectOf({ id: WHOLE })), racks(objectOf({})))).toEqual([
      '`Rack.id` is removed',
    ]);
  });

  test('another name is no change, nor is one that leads back to itself', () => {
    const tree = objectOf({ parent: { anyOf: [RACK, { type: 'null' }] }, name: TEXT });
    expect(breakingChanges(racks(tree), racks(tree))).toEqual([]);
    const shelf = JSON.stringify(racks(tree)).replaceAll('Rack', 'Shelf');
    expect(breakingChanges(racks(tree), ApiContract.parse(JSON.parse(shelf)))).toEqual([]);
    const poor = objectOf({ parent: { anyOf: [RACK, { type: 'null' }] } });
    expect(breakingChanges(racks(tree), racks(poor))).toEqual(['`Rack.name` is removed']);
  });
});

describe('the changelog', () => {
  const log =
    '# C\n\n## Unreleased\n\n- `A.b` is removed: send\n  `c`.\n- `A.d` has\n  minimum 10\n\n## 0.2.0\n\n- `A.e` is removed\n';

  test('names a change by an entry that begins with it, since the last release', () => {
    const named = ['`A.b` is removed', '`A.d` has minimum 10'];
    const unnamed = ['`A.d` has minimum 1', '`A.e` is removed', '`A` is removed'];
    expect(changesToName(log, [...named, ...unnamed])).toEqual(unnamed);
    expect(changesToName('# C\n', named)).toEqual(named);
  });

  test('has the last release first', () => {
    expect(lastRelease(log)).toBe('0.2.0');
    expect(lastRelease('# C\n\n## Unreleased\n')).toBeUndefined();
  });
});
