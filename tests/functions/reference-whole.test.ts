import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openApiOf } from '#infra/reference/document.ts';
import { exampleOf } from '#infra/reference/examples.ts';
import { operationsOf } from '#infra/reference/operations.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { Confirmation, jsonIn } from '#lib/http/answer.ts';

const routes = await discoverRoutes();
const operations = operationsOf(routes);
const document: unknown = JSON.parse(JSON.stringify(openApiOf(routes)));

const Told = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ parameters: z.record(z.string(), z.unknown()) }),
});

const { tags, paths } = Told.parse(document);

/** Changes of a record that say nothing of its version, each with its reason. */
const WITHOUT_VERSION: Readonly<Record<string, string>> = {
  'PATCH /admin/user/user/{model}/auth-as': 'it changes nothing of the user',
};

describe('every', () => {
  test('noun tells its rules: infra/reference/nouns.ts has them', () => {
    expect(tags.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
  });

  test('parameter has a sentence', () => {
    const parameters = nodesOf(document).filter((node) => 'in' in node && 'schema' in node && 'name' in node);
    expect(parameters.length).toBeGreaterThan(500);
    expect(parameters.filter(({ description }) => !isSentence(description))).toEqual([]);
  });

  test('property has a sentence: infra/reference/words/ has them', () => {
    const properties = nodesOf(document).flatMap((node) =>
      Object.entries(Object(node['properties'])).map(([name, field]) => ({
        name,
        said: Object(field).description,
      })),
    );
    expect(properties.length).toBeGreaterThan(1000);
    const silent = properties.filter(({ said }) => !isSentence(said)).map(({ name }) => name);
    expect([...new Set(silent)]).toEqual([]);
  });
});

describe('an example that a test sent or got has', () => {
  test.each(operations.filter(({ metadata }) => metadata.body))(
    'the body of $name: npm run examples',
    ({ name }) => {
      expect(exampleOf(name).sent).toBeDefined();
    },
  );

  test.each(operations.filter(({ metadata }) => isJson(metadata.answers)))(
    'the answer of $name: npm run examples',
    ({ name }) => {
      expect(exampleOf(name).got).toBeDefined();
    },
  );

  test('no secret, and nothing of the machine it was made on', () => {
    const text = JSON.stringify(operations.map(({ name }) => exampleOf(name)));
    expect(text).not.toMatch(/eyJ[\w-]+\.|127\.0\.0\.1|localhost:\d|x-amz-signature":"[0-9a-f]/i);
  });
});

describe('what stands at an operation', () => {
  test.each(operations)('covers each status that tests have met at $name', ({ name, method, path }) => {
    const told = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {});
    // 405 and 415 are met wherever someone errs about method or type.
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

function isJson(answers: z.ZodType): boolean {
  return answers !== Confirmation && jsonIn(answers) !== undefined;
}

function isSentence(text: unknown): boolean {
  return typeof text === 'string' && /^[`A-Z].*[.…`]$/s.test(text);
}

/** Lists every object of the document. */
function nodesOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  const node = { ...value };
  return [node, ...Object.entries(node).flatMap(([key, each]) => (key === 'example' ? [] : nodesOf(each)))];
}
