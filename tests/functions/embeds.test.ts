import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { translate } from '#lib/values/message.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn } from '#tests/support/records.ts';

const Parameter = z.looseObject({ name: z.string().optional(), schema: z.looseObject({}).optional() });
const Operation = z.looseObject({ parameters: z.array(Parameter).default([]) });
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

const Offer = z.looseObject({
  type: z.literal('array'),
  items: z.looseObject({ enum: z.array(z.string()) }),
});

const Errors = z.record(z.string(), z.array(z.string()));

/** Operations that read by a query string. */
const reading = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  endpoints.GET?.metadata.query ? [path] : [],
);

const isOfFamily = (path: string) => path.startsWith('/company/') && !path.includes('{');

let offers: ReadonlyMap<string, z.output<typeof Parameter>>;
let director: string;

beforeAll(async () => {
  const { paths } = Document.parse((await call('GET /openapi.json')).body);
  offers = new Map(
    Object.entries(paths).flatMap(([path, { get }]) => {
      const found = get?.parameters.find(({ name }) => name === 'with[]');
      return found ? [[path, found] as const] : [];
    }),
  );
  director = (await newFamily()).director;
});

describe('a list that embeds nothing has no with[], in the document neither (Contract 9.143)', () => {
  test('an embedding operation documents its embeds', () => {
    expect(offers.size).toBeGreaterThan(40);
    for (const [path, { schema }] of offers) {
      expect([path, Offer.parse(schema).items.enum]).toEqual([
        path,
        expect.arrayContaining([expect.any(String)]),
      ]);
    }
  });

  test.each(reading.filter(isOfFamily))('GET %s', async (path) => {
    const errors = Errors.parse(await errorsIn(`${path}?with[]=nothing`, director));
    const told = offers.has(path)
      ? { 'with.0': [expect.any(String)] }
      : { with: [translate('ru', { key: 'validation.unknown' })] };
    expect(errors).toMatchObject(told);
  });
});
