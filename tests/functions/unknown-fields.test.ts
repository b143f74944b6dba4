import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { isStrict } from '#lib/http/steps/body.ts';
import { newKey, operator, uuidsOf } from '#tests/support/external.ts';
import { newFamily } from '#tests/support/family.ts';
import { call, formOf } from '#tests/support/http.ts';

/** Paths of documents, cash, repricing, rates and billing. Contract 1, "Unknown fields". */
const MOVING = [
  /^\/company\/trade\//,
  /^\/company\/cashbox\/(operation|currency-rate)/,
  /^\/company\/client\/(debt|deposit)/,
  /^\/company\/client\/client\/\{model\}\/deposit/,
  /^\/company\/stock\/supplier\/\{model\}\/(payment$|adjustment$|operations\/)/,
  /^\/company\/tariff/,
  /^\/admin\/billing\//,
  /^\/external\/credit\//,
];

const operations = (await discoverRoutes())
  .flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, { metadata }]) => ({
      request: `${method} ${path}`,
      method,
      path,
      metadata,
    })),
  )
  .filter(({ method }) => method !== 'GET');

const isMoving = ({ path }: { path: string }) => MOVING.some((pattern) => pattern.test(path));
const moving = operations.filter(isMoving);
/** Edits of some fields of a card refuse others: a mistyped one would be left as it was. Part 5, 5B.10. */
const isPatchOfCard = ({ method, path }: { method: string; path: string }) =>
  method === 'PATCH' && /^\/company\/(product|client|stock)\/\w+\/\{model\}$/.test(path);

const others = operations.filter(
  ({ metadata, ...operation }) =>
    !isMoving(operation) &&
    !isPatchOfCard(operation) &&
    metadata.body &&
    !metadata.limit &&
    !metadata.accepts &&
    metadata.right !== 'anyone',
);

let director: string;
let administrator: string;
let headers: Record<string, string>;

beforeAll(async () => {
  const family = await newFamily();
  director = family.director;
  administrator = await operator();
  const [{ key }, { primary_uuid }] = await Promise.all([
    newKey({ kind: 'external', company_ids: [family.companyId] }),
    uuidsOf(family.companyId),
  ]);
  headers = { 'external-system-secret-key': key, 'company-primary-uuid': primary_uuid };
});

test('an operation is where goods or money move by its path', () => {
  const different = operations.filter((operation) => isMoving(operation) !== isStrict(operation.metadata));
  expect(different.map(({ request }) => request)).toEqual([]);
});

test.each(moving)('$request refuses unknown fields at every depth', async (operation) => {
  const { value, paths } = filled(schemaOf(operation.metadata.body));
  const reply = await send(operation, { json: value });
  expect(reply.status).toBe(422);
  const { codes } = z.object({ codes: z.record(z.string(), z.array(z.string())) }).parse(reply.body);
  const unknown = Object.keys(codes).filter((path) => codes[path]?.includes('validation.unknown'));
  expect(unknown.sort()).toEqual(paths.sort());
});

test.each(others)('$request ignores unknown fields', async (operation) => {
  const { body } = await send(operation, { json: { unheard_of: 1 } });
  const { codes = {} } = z
    .object({ codes: z.record(z.string(), z.array(z.string())).optional() })
    .parse(body);
  expect(codes).not.toHaveProperty('unheard_of');
});

describe('beside the fields of a body', () => {
  const PURCHASES = '/company/trade/purchase';

  test.each(moving.filter(({ method }) => method !== 'POST'))(
    '$request knows the id of a line that was read',
    async (operation) => {
      const { value } = filled(schemaOf(operation.metadata.body), { id: 1 });
      const { body } = await send(operation, { json: value });
      expect(Object.entries(Object(Object(body).codes)).filter(([path]) => path.endsWith('.id'))).toEqual([]);
    },
  );

  test('a form may say its method, JSON and a new document may not bring more', async () => {
    const form = formOf({ _method: 'PUT', currency: 'uzs' });
    const sent = await call(`POST ${PURCHASES}/1?_method=PUT`, { token: director, form });
    expect(sent.body).not.toHaveProperty('codes._method');
    const json = { _method: 'PUT', id: 1, products: [{ id: 1 }] };
    expect(await call(`POST ${PURCHASES}`, { token: director, json })).toMatchObject({
      status: 422,
      body: {
        codes: {
          _method: ['validation.unknown'],
          id: ['validation.unknown'],
          'products.0.id': ['validation.unknown'],
        },
      },
    });
  });
});

function send({ request, path }: { request: string; path: string }, given: { json: object }) {
  const token = path.startsWith('/admin/') ? administrator : director;
  const address = request.replaceAll(/\{\w+\}/g, '1');
  return call(address, path.startsWith('/external/') ? { ...given, headers } : { ...given, token });
}

type Schema = z.core.JSONSchema.JSONSchema;

function schemaOf(body: z.ZodType | undefined): Schema {
  return body ? z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) : { type: 'object' };
}

/**
 * Fills a body that has every object and list of the schema, with an unknown field in each object, and lists
 * the paths of these. `line` is put into each line of a list.
 */
function filled(schema: Schema, line: object = {}): { value: object; paths: string[] } {
  const paths: string[] = [];
  const fill = (
    { properties = {}, items, anyOf = [], ...node }: Schema,
    path: readonly string[],
  ): unknown => {
    const [option] = anyOf.filter(
      ({ type, anyOf: further }) => further || type === 'object' || type === 'array',
    );
    if (option) return fill(option, path);
    if (typeof items === 'object' && !Array.isArray(items)) {
      const item = fill(items, [...path, '0']);
      return [typeof item === 'object' ? { ...item, ...line } : item];
    }
    if (node.type !== 'object' || node.additionalProperties !== undefined) return 1;
    paths.push([...path, 'unheard_of'].join('.'));
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      fill(Object(field), [...path, name]),
    ]);
    return { ...Object.fromEntries(fields), unheard_of: 1 };
  };
  return { value: Object(fill(schema, [])), paths };
}
