import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { jsonIn } from '#lib/http/wire/response.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make, REQUIRED } from '#tests/support/records.ts';

const routes = await discoverRoutes();

const lists = routes.flatMap(({ path, endpoints: { GET } }) => {
  const page = GET && jsonIn(GET.metadata.response);
  if (!page || !GET.metadata.query || !(page instanceof z.ZodObject) || !('meta' in page.shape)) return [];
  const { properties } = z.toJSONSchema(page, { io: 'output', unrepresentable: 'any' });
  const { items } = Object(properties?.['data']);
  return [{ path, hasDeleted: 'is_deleted' in Object(items.properties), query: GET.metadata.query }];
});

describe('a list of soft-deleted records', () => {
  test('is found among the operations', () => {
    expect(lists.filter(({ hasDeleted }) => hasDeleted).length).toBeGreaterThan(25);
  });

  test.each(lists.filter(({ hasDeleted }) => hasDeleted))('$path takes show[]', ({ query }) => {
    const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    expect(properties).toHaveProperty('show.items.enum', ['with-deleted', 'only-deleted']);
  });
});

describe('a localized name that is missing', () => {
  const MISSING = { 'name.ru': REQUIRED, 'name.uz': REQUIRED, 'name.oz': REQUIRED };

  test('is documented at each language', async () => {
    const { director: token } = await newFamily();
    const request = 'POST /company/product/category';
    expect(await errorsOf(request, token, {})).toEqual(MISSING);
    expect(await errorsOf(request, token, { name: null })).toEqual(MISSING);
    expect(await errorsOf(request, token, { name: 'Чай' })).toEqual(MISSING);
    expect(await errorsOf(request, token, { name: { ru: 'Чай' } })).toEqual({
      'name.uz': REQUIRED,
      'name.oz': REQUIRED,
    });
  });

  test.each(['/company/product/unit', '/company/product/specification', '/company/product/service-unit'])(
    'is told so at %s',
    async (path) => {
      const { director: token } = await newFamily();
      expect(await errorsOf(`POST ${path}`, token, { accuracy: 0 })).toEqual(MISSING);
    },
  );

  test('of a template too', async () => {
    const token = await newSuperAdministrator();
    expect(await errorsOf('POST /admin/product/service-unit', token, {})).toEqual(MISSING);
  });
});

describe('a boolean in JSON', () => {
  test.each([
    [true, true],
    [1, true],
    ['1', true],
    [false, false],
    [0, false],
    ['0', false],
  ])('may be %j', async (sent, held) => {
    const { director: token } = await newFamily();
    const json = {
      name: `Продавец ${sent}`,
      type: 'employee',
      new_routes: [],
      can_apply_sale_discount: sent,
    };
    const reply = await call('POST /company/user/role', { token, json });
    expect(reply).toMatchObject({ status: 200, body: { can_apply_sale_discount: held } });
  });

  test.each([2, 'true', 'yes', '', null, []])('may not be %j', async (sent) => {
    const { director: token } = await newFamily();
    const json = { name: 'Продавец', type: 'employee', new_routes: [], can_apply_sale_discount: sent };
    const { codes } = Object((await call('POST /company/user/role', { token, json })).body);
    expect(Object.keys(Object(codes))).toEqual(['can_apply_sale_discount']);
  });

  test('stands in objects too', async () => {
    const { director: token } = await newFamily();
    const json = { cashbox_shift_settings: { is_enabled: '1' } };
    expect(await call('PUT /company/company/settings', { token, json })).toMatchObject({
      status: 200,
      body: { cashbox_shift_settings: { is_enabled: true } },
    });
  });
});

test('no answer is kept on its way, or taken for anything but what it says it is', async () => {
  const { director: token } = await newFamily();
  for (const request of [
    'GET /company/product/brand',
    'GET /company/product/brand/1',
    'GET /company/product/brand/download-example',
    'POST /common/auth/login',
    'GET /nowhere',
  ]) {
    const { headers } = await call(request, { token });
    expect([headers.get('cache-control'), headers.get('x-content-type-options')], request).toEqual([
      'no-store',
      'nosniff',
    ]);
  }
});

test('a specification is as the contract has it, without its maker', async () => {
  const { director: token, companyId } = await newFamily();
  const name = { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' };
  const id = await make('/company/product/specification', token, { name });
  const { body } = await call(`GET /company/product/specification/${id}`, { token });
  expect(Object.keys(Object(body)).sort()).toEqual(
    ['id', 'company_id', 'name', 'description', 'created_at', 'updated_at', 'is_deleted'].sort(),
  );
  expect(body).toMatchObject({ company_id: companyId });
});

test('page links keep the other parameters of the query', async () => {
  const { director: token } = await newFamily();
  const query =
    'filter[name]=Чай+%26&sort[]=-id&with[]=company&with[]=creator.profile&show[]=with-deleted&page-size=5';
  const { body } = await call(`GET /company/product/brand?${query}`, { token });
  const { links, meta } = z
    .object({
      links: z.object({ first: z.string(), last: z.string() }),
      meta: z.object({ links: z.array(z.unknown()) }),
    })
    .parse(body);
  const shown = z.array(z.object({ url: z.string().nullable() })).parse(meta.links);
  for (const link of [links.first, links.last, ...shown.flatMap(({ url }) => url ?? [])]) {
    const { searchParams } = new URL(link);
    searchParams.delete('page');
    expect([...searchParams]).toEqual([...new URLSearchParams(query)]);
  }
});
