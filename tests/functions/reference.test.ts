import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { call } from '#tests/support/http.ts';

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});

const routes = await discoverRoutes();

let document: z.output<typeof Document>;

beforeAll(async () => {
  document = Document.parse((await call('GET /openapi.json')).body);
});

/** Reads an operation in the document. */
function told(request: string) {
  const [method = '', path = ''] = request.split(' ');
  return document.paths[path]?.[method.toLowerCase()];
}

/** Reads a parameter or a header of an operation in the document. */
function parameter(name: string, schema: object) {
  return expect.objectContaining({ name, schema: expect.objectContaining(schema) });
}

test('is served as JSON without a token, and is OpenAPI 3.1', async () => {
  const { status, headers } = await call('GET /openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const validator = new Validator();
  expect(await validator.validate(document)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('tells every operation that is served, each under an id of its own', () => {
  const served = routes.flatMap(({ path, endpoints }) =>
    Object.keys(endpoints).map((method) => `${method} ${path}`),
  );
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual(served.sort());
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(ids).toHaveLength(new Set(ids).size);
});

test('points at nothing that it lacks', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, path = ''] of references) {
    const found = path
      .split('/')
      .reduce<unknown>((part, name) => new Map(entriesOf(part)).get(name), document);
    expect(found, path).toBeDefined();
  }
});

describe('an operation', () => {
  test('has the parameters of its list as brackets spell them', () => {
    expect(told('GET /company/product/brand')).toMatchObject({
      operationId: 'company.product.brand.index',
      tags: ['company product brand'],
      parameters: expect.arrayContaining([
        parameter('filter[id]', { type: 'integer' }),
        parameter('filter[id][]', { type: 'array' }),
        parameter('filter[created_at][0]', { format: 'date' }),
        parameter('sort[]', { default: ['-id'], items: { type: 'string', enum: ['id', '-id'] } }),
        parameter('with[]', { items: { type: 'string', enum: ['creator.profile', 'company'] } }),
        parameter('show[]', { maxItems: 1 }),
        parameter('page', { default: 1 }),
        parameter('page-size', { maximum: 20 }),
        { $ref: '#/components/parameters/Language' },
      ]),
      responses: { 200: {}, 401: {}, 403: {}, 422: {} },
    });
  });

  test('has files and fields of its form', () => {
    expect(told('PUT /company/product/brand/{model}')).toMatchObject({
      description: expect.stringContaining('POST with `?_method=PUT`'),
      parameters: expect.arrayContaining([parameter('model', { type: 'integer' })]),
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              properties: { image: { format: 'binary' }, name: { type: 'string', maxLength: 255 } },
              required: ['name', 'image_old_keys'],
            },
          },
        },
      },
    });
    expect(told('POST /company/product/brand/import')).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { properties: { file: { format: 'binary' } }, required: ['file'] },
          },
        },
      },
    });
  });

  test('describes what callers send and what they see', () => {
    expect(document).toMatchObject({
      components: {
        schemas: {
          Brand: { properties: { created_at: { type: 'string' }, name: { type: 'string' } } },
          SaleInput: { required: ['cashbox_id', 'stock_id', 'currency'] },
        },
      },
    });
  });

  test('says who may call it', () => {
    expect(document).toMatchObject({ security: [{ bearer: [] }] });
    expect(told('POST /common/auth/login')).toMatchObject({ security: [] });
    expect(told('POST /common/auth/login')).not.toMatchObject({ responses: { 401: {} } });
    expect(told('POST /company/trade/sale')).toMatchObject({
      description: expect.stringMatching(
        /^Requires the right `company\.trade\.sale\.store`\. Unknown fields are 422\.$/m,
      ),
      parameters: expect.arrayContaining([{ $ref: '#/components/parameters/Idempotency' }]),
    });
  });
});

describe('of what no schema says', () => {
  const operations = routes.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, { metadata }]) => ({ request: `${method} ${path}`, metadata })),
  );

  test.each(operations.filter(({ metadata }) => metadata.limit))(
    '$request documents the 429 that it is limited by',
    ({ request }) => {
      expect(told(request)).toMatchObject({ responses: { 429: {} } });
    },
  );

  test('a 429 is documented for operations with a limit, and for no others', () => {
    const tellingIt = operations.filter(({ request }) => '429' in Object(told(request)?.['responses']));
    expect(tellingIt.filter(({ metadata }) => !metadata.limit)).toEqual([]);
    expect(tellingIt.map(({ request }) => request)).toContain('POST /common/auth/pos-login');
  });

  test.each(operations.filter(({ metadata }) => metadata.note))(
    '$request shows its note',
    ({ request, metadata }) => {
      expect(told(request)).toMatchObject({ description: expect.stringContaining(`\n\n${metadata.note}`) });
    },
  );
});

test('other systems and the gateway say who they are in headers, and get 404 for a wrong key', () => {
  expect(told('POST /external/credit/trade-sale/create')).toMatchObject({
    security: [{ systemKey: [] }],
    parameters: expect.arrayContaining([{ $ref: '#/components/parameters/CompanyPrimary' }]),
    responses: { 404: {} },
  });
  expect(told('POST /external/billing/payment-notification')).toMatchObject({
    security: [{ signature: [] }],
    responses: { 404: {} },
  });
});

test('a list that has no id to be sorted by is sorted by what it has', () => {
  expect(told('GET /company/cashbox/currency-rate')).toMatchObject({
    parameters: expect.arrayContaining([parameter('sort[]', { default: ['-company_id'] })]),
  });
});

test('a page for each noun tells its rules and operations', async () => {
  const page = await (await fetch(`${inject('address')}/docs/company-trade-hold`)).text();
  expect(page).toContain('Goods reserved for a customer');
  expect(page).toContain('<code>PATCH /company/trade/hold/{model}/cancel</code>');
  const nouns = await (await fetch(`${inject('address')}/docs/nouns`)).text();
  expect(nouns).toContain('href="/docs/company-trade-hold"');
});

describe('a file of the reference', () => {
  test('is asked for anew by its plain address, and is not sent again if nothing changed', async () => {
    const { headers } = await call('GET /docs');
    expect(headers.get('cache-control')).toBe('no-cache');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await call('GET /docs', { headers: known })).status).toBe(304);
  });

  test('is kept for ever under the address of its version', async () => {
    const etag = (await call('GET /docs/page.js')).headers.get('etag') ?? '';
    const versioned = await call(`GET /docs/page.js?v=${etag.replaceAll('"', '')}`);
    expect(versioned.headers.get('cache-control')).toContain('immutable');
  });

  test.each(['identity', 'gzip;q=0', 'gzip;q=0, *', '*;q=0'])('comes unpacked for %s', async (accepted) => {
    const { headers } = await call('GET /docs/page.js', { headers: { 'accept-encoding': accepted } });
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('is 404 for a missing file, 405 by another method', async () => {
    expect((await call('GET /docs/other.js')).status).toBe(404);
    const { status, headers } = await call('POST /docs');
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  });
});

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
