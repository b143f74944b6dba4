import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { card } from '#tests/support/catalog.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newShop, type Shop } from '#tests/support/shop.ts';

/* Part 5, 5B.10. */

const PRODUCTS = '/company/product/product';

const Updated = z.looseObject({ updated_at: z.string() });

let shop: Shop;
let token: string;

beforeEach(async () => {
  shop = await newShop();
  token = shop.director;
});

/** Makes a card of each noun, and returns its path with a field to change. */
async function cards() {
  const name = { uz: 'Соат', oz: 'Soat', ru: 'Час' };
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  const client = {
    ...{ full_name: 'Aziz', main_phone: '998901112233', additional_phones: ['998935554433'] },
    ...{ address: 'Toshkent', debt_limits: { uzs: 100, usd: null, eur: null, rub: null } },
  };
  const made = [
    [PRODUCTS, card(shop.catalog, { plu: '5', barcodes: [{ barcode: '600', quantity: 6 }] }), 'name'],
    ['/company/product/service', { service_unit_id, name: 'Yetkazish', price: 10 }, 'name'],
    ['/company/client/client', client, 'full_name'],
    ['/company/stock/supplier', { name: 'Ombor', phone: '998712223344' }, 'name'],
  ] as const;
  return Promise.all(
    made.map(async ([path, json, field]) => ({ path: `${path}/${await make(path, token, json)}`, field })),
  );
}

test('PATCH changes the fields that it has, and answers as PUT: left out stays (Part 5, 5B.10)', async () => {
  for (const { path, field } of await cards()) {
    const { body: before } = await call(`GET ${path}`, { token });
    const { status, body } = await call(`PATCH ${path}`, { token, json: { [field]: 'Other' } });
    expect(status, path).toBe(200);
    const { updated_at: _, ...same } = Updated.parse(before);
    expect(Updated.parse(body), path).toMatchObject({
      ...same,
      ...(path.startsWith(PRODUCTS) && { full_text: 'Other' }),
      [field]: 'Other',
    });
  }
});

test('nothing changed writes nothing: the version stays (Part 5, 5B.10)', async () => {
  for (const { path, field } of await cards()) {
    const before = await call(`GET ${path}`, { token });
    const value = Object(before.body)[field];
    for (const json of [{}, { [field]: value }]) {
      const answer = await call(`PATCH ${path}`, { token, json });
      expect(answer.status, path).toBe(200);
      expect(answer.body, path).toEqual(before.body);
    }
    expect((await call(`GET ${path}`, { token })).headers.get('etag')).toBe(before.headers.get('etag'));
  }
});

test('null of any field, sent again, changes nothing and writes nothing (Part 5, 5B.10)', async () => {
  for (const { path } of await cards()) {
    const { body } = await call(`GET ${path}`, { token });
    for (const field of Object.keys(Object(body))) {
      const empty = () => call(`PATCH ${path}`, { token, json: { [field]: null } });
      if ((await empty()).status !== 200) continue;
      const etag = async () => (await call(`GET ${path}`, { token })).headers.get('etag');
      const before = await etag();
      expect((await empty()).status).toBe(200);
      expect(await etag(), `${field} of ${path}`).toBe(before);
    }
  }
});

test('lists are replaced, and null empties (Part 5, 5B.10)', async () => {
  const [product, , client, supplier] = await cards();
  const patch = async (path: string | undefined, json: object) =>
    (await call(`PATCH ${path}`, { token, json })).body;
  expect(await patch(product?.path, { barcodes: [{ barcode: '601' }], plu: null })).toMatchObject({
    barcodes: [{ barcode: '601', quantity: 1, name: null }],
    plu: null,
  });
  expect(await patch(product?.path, { barcodes: null })).toMatchObject({ barcodes: [] });
  expect(await patch(client?.path, { additional_phones: [], address: null })).toMatchObject({
    additional_phones: [],
    address: null,
    debt_limits: { uzs: 100 },
  });
  expect(await patch(supplier?.path, { phone: null })).toMatchObject({ phone: null, name: 'Ombor' });
});

test('a card is judged as a whole: 422 on all failing fields, and on what it is not allowed to be together (Part 5, 5B.10)', async () => {
  const [product] = await cards();
  const errors = (json: object) => errorsOf(`PATCH ${product?.path}`, token, json);
  expect(await errors({ name: null, unit_id: 99_999, sale_price: -1 })).toEqual({
    name: REQUIRED,
    sale_price: expect.any(String),
  });
  expect(await errors({ unit_id: 99_999 })).toEqual({ unit_id: NOT_FOUND });
  expect(await errors({ brand_id: null })).toEqual({ brand_id: REQUIRED });
  expect(await errors({ min_price: 5001 })).toEqual({
    min_price: translate('ru', { key: 'product.min_above_price' }),
  });
});

test('fields of no PUT and images are 422 (Part 5, 5B.10)', async () => {
  for (const { path } of await cards())
    expect(
      Object.keys(await errorsOf(`PATCH ${path}`, token, { id: 7, images: [], unheard: 1 })).sort(),
    ).toEqual(['id', 'images', 'unheard']);
});

test('the right is that of PUT, and If-Match counts, also if nothing changes (Part 5, 5B.10)', async () => {
  for (const { path, field } of await cards()) {
    const reader = await newEmployee(shop, ['company.product.product.show']);
    expect((await call(`PATCH ${path}`, { token: reader, json: {} })).status).toBe(403);
    for (const json of [{}, { [field]: 'Other' }]) {
      const headers = { 'if-match': '"99"' };
      expect((await call(`PATCH ${path}`, { token, json, headers })).status, path).toBe(412);
    }
  }
});

test('two at once change different fields of a card: both stay (Part 5, 5B.10)', async () => {
  const [product] = await cards();
  const patch = (json: object) => call(`PATCH ${product?.path}`, { token, json });
  await Promise.all([patch({ name: 'Other' }), patch({ sale_price: 7000 }), patch({ article: 'A' })]);
  expect((await call(`GET ${product?.path}`, { token })).body).toMatchObject({
    name: 'Other',
    sale_price: 7000,
    article: 'A',
  });
});
