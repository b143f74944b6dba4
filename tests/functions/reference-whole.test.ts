import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import bySchema from '#infra/reference/descriptions/by-schema.json' with { type: 'json' };
import goods from '#infra/reference/descriptions/goods.json' with { type: 'json' };
import money from '#infra/reference/descriptions/money.json' with { type: 'json' };
import people from '#infra/reference/descriptions/people.json' with { type: 'json' };
import wire from '#infra/reference/descriptions/wire.json' with { type: 'json' };
import { openApiOf } from '#infra/reference/document.ts';
import { exampleOf } from '#infra/reference/examples.ts';
import { operationObjectsOf } from '#infra/reference/operations.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { Confirmation, jsonIn, respondsWithFile } from '#lib/http/wire/response.ts';

const routes = await discoverRoutes();
const operations = operationObjectsOf(routes);
const document: unknown = JSON.parse(JSON.stringify(openApiOf(routes)));

const Told = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const Told200 = z.object({
  content: z.record(z.string(), z.unknown()),
  'x-media-types': z.array(z.string()).optional(),
});

const {
  tags,
  paths,
  components: { schemas },
} = Told.parse(document);

/** Changes of a record without its version, each with its reason. */
const WITHOUT_VERSION: Readonly<Record<string, string>> = {
  'PATCH /admin/user/user/{model}/auth-as': 'it changes nothing of the user',
};

/** Private language: see docs/glossary.md. */
const RIDDLES =
  /\b(?:whoever|nobody|somebody|tells?|told|says?|said|hears?|asks?|asked|shelf|shelves|cheques?|anew|meanwhile|what (?:is|was|has|comes))\b|(?:^|[.:] )(?:what|who)\b/i;

describe('every', () => {
  const properties = nodesOf(document).flatMap((node) =>
    Object.entries(Object(node['properties'])).map(([name, field]) => ({
      name,
      said: Object(field).description,
    })),
  );
  test('noun tells its rules: `about` of its list, or infra/reference/descriptions/nouns.json', () => {
    expect(tags.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
  });

  test('parameter has a sentence', () => {
    const parameters = nodesOf(document).filter((node) => 'in' in node && 'schema' in node && 'name' in node);
    expect(parameters.length).toBeGreaterThan(500);
    expect(parameters.filter(({ description }) => !isSentence(description))).toEqual([]);
  });

  test('property has a sentence: infra/reference/descriptions/ has them, by-schema.json by schema', () => {
    expect(properties.length).toBeGreaterThan(5000);
    const silent = properties.filter(({ said }) => !isSentence(said)).map(({ name }) => name);
    expect([...new Set(silent)]).toEqual([]);
  });

  test('sentence speaks of its own schema, not of others whose fields have the name', () => {
    const others = properties.filter(({ said }) => /; (of|in|for) an? /.test(String(said)));
    expect([...new Set(others.map(({ said }) => said))]).toEqual([]);
    const sentences = Object.values({ ...goods, ...money, ...people, ...wire });
    expect(sentences.filter((said) => /; (of|in|for) /.test(said))).toEqual([]);
  });

  test('own sentence is of a field that is there: infra/reference/descriptions/by-schema.json', () => {
    const told = new Set(properties.map(({ said }) => String(said)));
    const unused = Object.entries(bySchema).filter(
      ([, said]) => ![...told].some((each) => each.includes(said)),
    );
    expect(unused).toEqual([]);
  });

  test('description and summary uses terms of art, and names the actor', () => {
    const texts = nodesOf(document).flatMap(({ description, summary }) => [description, summary]);
    const bare = texts
      .filter((text) => typeof text === 'string')
      .map((text) => text.replaceAll(/`[^`]*`/g, ''));
    expect(bare.length).toBeGreaterThan(5000);
    expect(bare.filter((text) => RIDDLES.test(text))).toEqual([]);
  });

  test('sentence says more than the name of its property, and nothing twice', () => {
    const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
    const repeating = properties.filter(({ name, said }) => {
      const [first = ''] = String(said).split('.');
      return bare(first.replace(/^(The|A|An) /, '')) === bare(name);
    });
    expect(repeating).toEqual([]);
    expect(properties.filter(({ said }) => /decimals.*decimals/i.test(String(said)))).toEqual([]);
    expect(properties.filter(({ said }) => /, or will be/.test(String(said)))).toEqual([]);
  });
});

describe('no client has to guess', () => {
  test('the type of a schema', () => {
    const told = schemasIn(document);
    expect(told.length).toBeGreaterThan(3000);
    expect(told.filter(({ schema }) => !hasType(schema)).map(({ path }) => path)).toEqual([]);
  });

  test('what a field of an answer is beside null', () => {
    const nulls = schemasIn(document).filter(({ schema }) => schema['type'] === 'null');
    // The other side of a choice is documented there.
    const told = nulls.map(({ path }) => path).filter((path) => !/(anyOf|oneOf)/.test(path));
    expect(told).toEqual([]);
  });

  const forms = operations.filter(({ metadata }) => metadata.accepts && metadata.body);

  test.each(forms.filter(({ path }) => !path.endsWith('/import')))(
    'that $name takes JSON too',
    (operation) => {
      const { method, path } = operation;
      expect(paths[path]?.[method.toLowerCase()]).toMatchObject({
        requestBody: { content: { 'application/json': {}, 'multipart/form-data': {} } },
      });
    },
  );

  const giving = operations.filter(({ metadata }) => respondsWithFile(metadata.response));

  test.each(giving)('the media types of $name: npm run examples', ({ name, method, path }) => {
    const told = Told200.parse(paths[path]?.[method.toLowerCase()]?.responses['200']);
    const types = [...Object.keys(told.content), ...(told['x-media-types'] ?? [])];
    const { types: met = [] } = exampleOf(name);
    expect(met.filter((type) => type !== 'application/json')).not.toEqual([]);
    expect(met.filter((type) => !types.includes(type))).toEqual([]);
  });

  test('the rows of a list that may also be a workbook', () => {
    const typed = giving.flatMap(({ method, path }) => {
      const { content } = Told200.parse(paths[path]?.[method.toLowerCase()]?.responses['200']);
      return 'application/json' in content ? Object.keys(content) : [];
    });
    expect(new Set(typed)).toEqual(new Set(['application/json']));
  });
});

test('operations of a noun are in the order list, create, show, edit, delete, restore, the rest', () => {
  const wanted = ['index', 'store', 'show', 'update', 'destroy', 'restore'];
  const byNoun = Map.groupBy(operations, ({ noun }) => noun.join(' '));
  for (const its of byNoun.values()) {
    const ranks = its.map(({ verb }) => wanted.indexOf(verb) + 1 || wanted.length + 1);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  }
  const shown = Object.keys(paths).filter((path) => /^\/company\/trade\/sale(\/|$)/.test(path));
  expect(shown.slice(0, 2)).toEqual(['/company/trade/sale', '/company/trade/sale/{model}']);
});

describe('a schema is called by its noun:', () => {
  test.each([
    ['Cashbox', 'GET /company/cashbox/cashbox/{model}'],
    ['Sale', 'POST /company/trade/sale'],
    ['Supplier', 'GET /company/stock/supplier/{model}'],
    ['Unit', 'GET /company/product/unit/{model}'],
    ['AdminUnit', 'GET /admin/product/unit/{model}'],
    ['AuthLogin', 'POST /common/auth/login'],
    ['AuthPosLogin', 'POST /common/auth/pos-login'],
    ['StockProductPage', 'GET /company/stock/product'],
    ['SupplierOperationsPage', 'GET /company/stock/supplier/{model}/operations'],
    ['CashboxTransfersPage', 'GET /company/cashbox/cashbox/{model}/transfers'],
  ])('%s is what %s gives', (schema, request) => {
    const [method = '', path = ''] = request.split(' ');
    expect(paths[path]?.[method.toLowerCase()]?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    });
  });

  test('every name is of words', () => {
    expect(Object.keys(schemas).filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });
});

describe('an example that a test sent or got has', () => {
  test.each(operations.filter(({ metadata }) => metadata.body))(
    'the body of $name: npm run examples',
    ({ name }) => {
      expect(exampleOf(name).sent).toBeDefined();
    },
  );

  test.each(operations.filter(({ metadata }) => isJson(metadata.response)))(
    'the answer of $name: npm run examples',
    ({ name }) => {
      expect(exampleOf(name).got).toBeDefined();
    },
  );

  // A schema that has grown makes examples stale, which linters of the document reject.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(Object(document), 'openapi');

  test.each(operations)(
    'the shape of its schema at $name: npm run examples -- --anew',
    ({ method, path }) => {
      const said = nodesOf(paths[path]?.[method.toLowerCase()]).filter(
        (node) => 'schema' in node && 'example' in node,
      );
      for (const { schema, example } of said) {
        const isValid = ajv.validate(rooted(schema), example);
        expect(isValid, ajv.errorsText()).toBe(true);
      }
    },
  );

  test('no secret, and nothing of the machine it was made on', () => {
    const text = JSON.stringify(operations.map(({ name }) => exampleOf(name)));
    expect(text).not.toMatch(
      /eyJ[\w-]+\.|rk_\d+_[\w-]{43}|127\.0\.0\.1|localhost:\d|x-amz-signature":"[0-9a-f]/i,
    );
  });
});

describe('what stands at an operation', () => {
  test.each(operations)('covers each status that tests have met at $name', ({ name, method, path }) => {
    const told = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {});
    // 405 and 415 are possible at every path, by a wrong method or type.
    const met = exampleOf(name)
      .statuses.map(String)
      .filter((status) => status !== '405');
    expect(met.filter((status) => !told.includes(status))).toEqual([]);
  });

  const changes = operations.filter(
    ({ name, method, path }) =>
      ['PUT', 'PATCH', 'DELETE'].includes(method) &&
      /\{(model|value)\}/.test(path) &&
      !(name in WITHOUT_VERSION),
  );

  test.each(changes)('$name is 412 with If-Match of another version: npm run examples', ({ name }) => {
    expect(exampleOf(name).heedsVersion).toBe(true);
  });
});

/** Returns a schema whose references into the document are absolute. */
function rooted(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
}

function isJson(answers: z.ZodType): boolean {
  return answers !== Confirmation && jsonIn(answers) !== undefined;
}

function isSentence(text: unknown): boolean {
  return typeof text === 'string' && /^[`A-Z].*[.…`]$/s.test(text);
}

/** Keywords of a schema without a type. */
const REMARKS = ['description', 'default', 'examples', 'title', 'deprecated'];

function hasType(schema: Record<string, unknown>): boolean {
  return Object.keys(schema).some((key) => !REMARKS.includes(key));
}

interface Placed {
  readonly path: string;
  readonly schema: Record<string, unknown>;
}

/** Lists every schema of the document, with the place that it stands at. */
function schemasIn(value: unknown, path = ''): Placed[] {
  return Object.entries(Object(value)).flatMap(([key, each]): Placed[] => {
    const at = `${path}/${key}`;
    if (key === 'example' || typeof each !== 'object' || each === null) return [];
    return [...(isSchemaAt(path, key) ? [{ path: at, schema: { ...each } }] : []), ...schemasIn(each, at)];
  });
}

/** Returns whether a node is a schema, by its path. */
function isSchemaAt(path: string, key: string): boolean {
  const isField = /\/(properties|components\/schemas|anyOf|oneOf|allOf)$/.test(path);
  return isField || ['schema', 'items', 'additionalProperties'].includes(key);
}

/** Lists every object of the document. */
function nodesOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  const node = { ...value };
  return [node, ...Object.entries(node).flatMap(([key, each]) => (key === 'example' ? [] : nodesOf(each)))];
}
