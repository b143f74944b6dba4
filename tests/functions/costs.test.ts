import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiOf } from '#infra/reference/document.ts';
import { exampleOf } from '#infra/reference/examples.ts';
import { operationObjectsOf } from '#infra/reference/operations.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { jsonIn } from '#lib/http/wire/response.ts';
import { COST_RIGHT, costHiderOf } from '#lib/values/cost.ts';
import { costsIn, isCostName } from '#tests/support/costs.ts';

const routes = await discoverRoutes();
const operations = operationObjectsOf(routes).filter(
  ({ metadata }) => !metadata.right.startsWith('admin.') && !metadata.right.startsWith('partner.'),
);
const document: unknown = JSON.parse(JSON.stringify(openApiOf(routes)));

const Properties = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

interface Field {
  readonly path: string;
  readonly name: string;
  readonly schema: string;
}

/** Lists the fields of schemas with their paths. */
function fieldsIn(value: unknown, path: string): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(Properties.safeParse(value).data?.properties ?? {});
  const fields = own.map(([name, schema]) => ({
    path: `${path}.${name}`,
    name,
    schema: JSON.stringify(schema),
  }));
  const below = Object.entries(value).flatMap(([key, part]) => {
    return fieldsIn(part, /^(properties|items|anyOf|oneOf|\d+)$/.test(key) ? path : `${path}.${key}`);
  });
  return [...fields, ...below];
}

const { components } = z
  .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
  .parse(document);

/** Fields of all answers; of a record inside another one, its own schema has them. */
const fields = Object.entries(components.schemas)
  .filter(([name]) => !name.endsWith('Input'))
  .flatMap(([name, schema]) => fieldsIn(schema, name));

test('every field of an answer whose name reveals a cost is marked: `costField` in lib/values/cost.ts (Part 5, 5A.13)', () => {
  const named = fields.filter(({ name, path }) => isCostName(name, path));
  expect(named.length).toBeGreaterThan(50);
  const unmarked = named.filter(({ schema }) => !schema.includes(COST_RIGHT));
  expect(unmarked.map(({ path }) => path)).toEqual([]);
});

test('a marked field may be null, and its sentence names the right (Part 5, 5A.13)', () => {
  const marked = fields.filter(({ schema }) => schema.includes(`"x-right":"${COST_RIGHT}"`));
  const own = marked.filter(({ schema }) => !schema.includes('"properties":{"id"'));
  const silent = own.filter(
    ({ schema }) => !/"type":"null"/.test(schema) || !schema.includes('Null without'),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test.each(operations.filter(({ name }) => exampleOf(name).got !== undefined))(
  '$name answers callers without the right with no costs (Part 5, 5A.13)',
  ({ name, metadata }) => {
    const { got } = exampleOf(name);
    const hide = costHiderOf(jsonIn(metadata.response) ?? metadata.response);
    expect(costsIn(hide ? hide(got) : got)).toEqual([]);
  },
);
