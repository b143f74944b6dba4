import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { newPartner } from '#tests/support/external.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { KEYWORDS } from '#tests/support/keywords.ts';
import { addWebhook, startReceiver } from '#tests/support/receiver.ts';
import { insertUser } from '#tests/support/users.ts';
import manifest from '../../package.json' with { type: 'json' };

/* The document as generators of clients read it. Contract 9.131. */

const Parameter = z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() });

const Operation = z.looseObject({
  parameters: z.array(z.union([z.object({ $ref: z.string() }), Parameter])).default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
    .optional(),
});

const Document = z.looseObject({
  servers: z.array(z.looseObject({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.looseObject({ post: Operation })),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

let document: z.output<typeof Document>;

beforeAll(async () => {
  document = Document.parse((await call('GET /openapi.json')).body);
});

/** Lists the operations of the document with their parameters and bodies. */
function operationsOf() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      request: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** Lists a part of the document, and all that it points to, each once. */
function reach(part: unknown, met = new Set<string>()): object[] {
  if (typeof part !== 'object' || part === null) return [];
  const { $ref } = Object(part);
  const isNew = typeof $ref === 'string' && !met.has($ref);
  if (isNew) met.add($ref);
  const target = isNew ? document.components.schemas[$ref.split('/').at(-1) ?? ''] : undefined;
  return [part, ...Object.values(part).flatMap((each) => reach(each, met)), ...reach(target, met)];
}

test('no parameter of a path is a word of a client’s language (Contract 9.131)', () => {
  const names = Object.keys(document.paths).flatMap((path) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name = '') => KEYWORDS.has(name.toLowerCase()))).toEqual([]);
});

test('no field of a body has a default, which generators take for required (Contract 9.131)', () => {
  const bodies = operationsOf().flatMap(({ request, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => ({ request, schema })),
  );
  expect(bodies.length).toBeGreaterThan(100);
  const withDefault = bodies.filter(({ schema }) =>
    reach(schema).some((part) => Object.hasOwn(part, 'default')),
  );
  expect(withDefault.map(({ request }) => request)).toEqual([]);
});

test('the server has its address (Contract 9.131)', () => {
  expect(document.servers.map(({ url }) => url)).toEqual([inject('address')]);
});

test('an entry of a batch is the body of a sale (Contract 9.131)', () => {
  expect(document.components.schemas['SaleSyncInput']).toMatchObject({
    properties: { sales: { items: { $ref: '#/components/schemas/SaleInput' } } },
  });
});

test('a changed body of a refused sale is whole, but for what it keeps (Part 4, 4.4 (5))', () => {
  const { anyOf } = z
    .looseObject({ anyOf: z.tuple([z.looseObject({}), z.looseObject({})]) })
    .parse(document.components.schemas['RefusedRetryInput']);
  const [terms, changed] = anyOf;
  expect(Object.keys(Object(terms.properties))).toEqual(['as_of_now', 'accept_prices']);
  expect(changed.required).toEqual(['stock_id', 'currency']);
  const { required } = Object(document.components.schemas['SaleInput']);
  expect(required).toEqual(['cashbox_id', 'stock_id', 'currency']);
});

test('each type of records is documented with its readers, and is theirs (Contract 9.131)', async () => {
  const found = document.paths['/common/public/records/{type}']?.['get']?.parameters[0];
  const type = Parameter.extend({
    description: z.string(),
    schema: z.object({ enum: z.array(z.string()) }),
  }).parse(found);
  const partner_id = await newPartner();
  const callers = {
    staff: (await newFamily()).director,
    administrators: await newSuperAdministrator(),
    partners: (await insertUser({ type: 'partner', partner_id })).token,
  };
  for (const [who, token] of Object.entries(callers)) {
    const [, list = ''] = new RegExp(`[Ff]or ${who} ([^;.]*)`).exec(type.description) ?? [];
    const told = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(told.length).toBeGreaterThan(0);
    for (const name of type.schema.enum) {
      const { status } = await call(`GET /common/public/records/${name}`, { token });
      expect([who, name, status]).toEqual([who, name, told.includes(name) ? 200 : 400]);
    }
  }
});

test('a webhook is documented as it is sent (Contract 9.131)', async () => {
  const { director: token } = await newFamily();
  const { url, got } = await startReceiver();
  const { id } = await addWebhook(token, url);
  await call(`POST /company/webhook/${id}/test`, { token });
  const [message] = got;
  const { WebhookTest } = document.components.schemas;
  expect(shapeOf(message?.body)).toEqual(toldShapeOf(WebhookTest));
  expect(toldShapeOf(document.components.schemas['WebhookEvent'])).toEqual(toldShapeOf(WebhookTest));
  const parameters = document.webhooks['test']?.post.parameters.map((each) =>
    'name' in each ? each.name : '',
  );
  for (const name of parameters ?? []) expect(message?.headers, name).toHaveProperty(name);
});

/** Returns the shape of a value. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return true;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

/** Lists the names of a schema's fields. */
function toldShapeOf(schema: unknown): unknown {
  const { properties } = Object(schema);
  if (properties === undefined) return true;
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, toldShapeOf(part)]));
}

describe('with[]', () => {
  test('is documented where it takes something, and else refused at every operation (Contract 9.143)', async () => {
    const { director: token } = await newFamily();
    const routes = await discoverRoutes();
    const gets = routes.filter(({ path, endpoints }) => endpoints.GET && path.startsWith('/company/'));
    for (const { path } of gets) {
      const parameters = document.paths[path]?.['get']?.parameters ?? [];
      const embeds = parameters.find((each) => 'name' in each && each.name === 'with[]');
      if (embeds && 'name' in embeds) {
        expect(Object(Object(embeds.schema).items).enum, path).not.toEqual([]);
        expect(Object(Object(embeds.schema).items).not, path).toBeUndefined();
        continue;
      }
      const asked = await call(`GET ${path.replaceAll(/\{\w+\}/g, '1')}?with[]=company`, { token });
      expect([path, asked.status, Object.keys(Object(Object(asked.body).errors))]).toEqual([
        path,
        422,
        expect.arrayContaining([expect.stringMatching(/^with/)]),
      ]);
    }
  });
});

test('a page that has a program says before it which Node runs it, and which is ours', async () => {
  const { devDependencies, dependencies } = manifest;
  const [major] = ({ ...devDependencies, ...dependencies }['node'] ?? '').split('.');
  const pages = ['guide', 'copy', 'till', 'webhooks'];
  const texts = await Promise.all(
    pages.map(async (page) => (await fetch(`${inject('address')}/docs/${page}`)).text()),
  );
  const programs = texts.filter((text) => text.includes("from 'node:"));
  expect(programs).toHaveLength(3);
  for (const text of programs) {
    const told = [...text.matchAll(/Node (\d+)/g)];
    expect(told.map(([, version]) => version)).toEqual([major]);
    expect(told[0]?.index).toBeLessThan(text.indexOf('<pre id='));
  }
});

test('a link to a large file is followed without the token, as the guide does (Contract 9.133)', async () => {
  const guide = await (await fetch(`${inject('address')}/docs/guide`)).text();
  expect(guide).toMatch(/302.*another\s+host.*without <code>Authorization<\/code>/s);
});
