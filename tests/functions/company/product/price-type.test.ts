import { expect, test } from 'vitest';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  errorWith,
  expectSixOperations,
  make,
  NOT_FOUND,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const TYPES = '/company/product/price-type';
const PRODUCTS = '/company/product/product';
const CLIENTS = '/company/client/client';

const client = { full_name: 'Алишер', main_phone: '998901112233' };

test('a price type is made, found, changed, deleted and restored (Part 5, 5A.14 (2))', async () => {
  await expectSixOperations(TYPES, { name: 'Оптовая' }, { name: 'VIP' });
});

test('the name of a price type is required and unique in the family (Part 5, 5A.14 (2))', async () => {
  const { director: token } = await newFamily();
  expect(await errorsOf(`POST ${TYPES}`, token, {})).toEqual({ name: REQUIRED });
  await make(TYPES, token, { name: 'Оптовая' });
  expect(await errorsOf(`POST ${TYPES}`, token, { name: ' ОПТОВАЯ ' })).toEqual({ name: TAKEN });
});

test('a family has at most ten price types that are not deleted, whatever runs at once (Part 5, 5A.14 (2))', async () => {
  const { director: token } = await newFamily();
  const first = await make(TYPES, token, { name: 'Первая' });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      call(`POST ${TYPES}`, { token, json: { name: `Вид ${index}` } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused).toMatchObject(errorWith('price_type.too_many', { max: 10 }));
  await call(`DELETE ${TYPES}/${first}`, { token });
  const last = await make(TYPES, token, { name: 'Последняя' });
  expect(await call(`DELETE ${TYPES}/${first}/restore`, { token })).toMatchObject(
    errorWith('price_type.too_many', { max: 10 }),
  );
  await call(`DELETE ${TYPES}/${last}`, { token });
  expect((await call(`DELETE ${TYPES}/${first}/restore`, { token })).status).toBe(200);
});

test('a product has prices by type, which stay if a PUT leaves them out (Part 5, 5A.14 (2))', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const [whole, vip] = [await make(TYPES, token, { name: 'Опт' }), await make(TYPES, token, { name: 'VIP' })];
  const prices = [
    { price_type_id: whole, price: 4500, currency: 'uzs' },
    { price_type_id: vip, price: 0.5, currency: 'usd' },
  ];
  const id = await make(PRODUCTS, token, card(catalog, { prices }));
  const shown = async () => (await call(`GET ${PRODUCTS}/${id}`, { token })).body;
  expect(await shown()).toMatchObject({ prices });
  await call(`PUT ${PRODUCTS}/${id}`, { token, json: card(catalog, { name: 'Soda' }) });
  expect(await shown()).toMatchObject({ name: 'Soda', prices });
  await call(`PATCH ${PRODUCTS}/${id}`, { token, json: { name: 'Choy' } });
  expect(await shown()).toMatchObject({ name: 'Choy', prices });
  await call(`PATCH ${PRODUCTS}/${id}`, { token, json: { prices: prices.slice(1) } });
  expect(await shown()).toMatchObject({ prices: prices.slice(1) });
  await call(`DELETE ${TYPES}/${vip}`, { token });
  const kept = await call(`PUT ${PRODUCTS}/${id}`, {
    token,
    json: card(catalog, { prices: prices.slice(1) }),
  });
  expect(kept).toMatchObject({ status: 200, body: { prices: prices.slice(1) } });
  await call(`PATCH ${PRODUCTS}/${id}`, { token, json: { prices: null } });
  expect(await shown()).toMatchObject({ prices: [] });
});

test('a price by type is of a type of the family, once, and above 0 (Part 5, 5A.14 (2))', async () => {
  const [family, stranger] = await Promise.all([newFamily(), newFamily()]);
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const own = await make(TYPES, token, { name: 'Опт' });
  const gone = await make(TYPES, token, { name: 'VIP' });
  const foreign = await make(TYPES, stranger.director, { name: 'Чужая' });
  await call(`DELETE ${TYPES}/${gone}`, { token });
  const wrong = (prices: object[]) => errorsOf(`POST ${PRODUCTS}`, token, card(catalog, { prices }));
  const at = (price_type_id: number, price = 1) => ({ price_type_id, price, currency: 'uzs' });
  expect(await wrong([at(gone), at(own), at(foreign + 1000)])).toEqual({
    'prices.0.price_type_id': NOT_FOUND,
    'prices.2.price_type_id': NOT_FOUND,
  });
  expect(Object.keys(await wrong([at(own), at(own)]))).toEqual(['prices.1.price_type_id']);
  expect(Object.keys(await wrong([at(own, 0)]))).toEqual(['prices.0.price']);
  expect(Object.keys(await wrong(Array.from({ length: 11 }, (_, id) => at(id + 1))))).toEqual(['prices']);
});

test('no price by type is under the floor of its product (Part 5, 5A.14 (2); decisions 9 (107), (108))', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const type = await make(TYPES, token, { name: 'Опт' });
  const at = (price: number) => [{ price_type_id: type, price, currency: 'uzs' }];
  const wrong = (json: object) => errorsOf(`POST ${PRODUCTS}`, token, card(catalog, json));
  expect(Object.keys(await wrong({ min_price: 4000, prices: at(3999.99) }))).toEqual(['prices.0.price']);
  const id = await make(PRODUCTS, token, card(catalog, { min_price: 4000, prices: at(4000) }));
  const raised = { json: card(catalog, { min_price: 4000.01 }), token };
  expect(await call(`PUT ${PRODUCTS}/${id}`, raised)).toMatchObject({
    status: 422,
    body: { codes: { 'prices.0.price': ['sale.price_too_low'] } },
  });
});

test('a client has a price type, which only a holder of the right changes (Part 5, 5A.14 (2))', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const type = await make(TYPES, token, { name: 'Опт' });
  const id = await make(CLIENTS, token, { ...client, price_type_id: type });
  const rights = [
    'company.client.client.store',
    'company.client.client.update',
    'company.client.client.show',
  ];
  const clerk = await newEmployee(family, rights);
  expect(await call(`PUT ${CLIENTS}/${id}`, { token: clerk, json: client })).toMatchObject({
    status: 200,
    body: { price_type_id: type },
  });
  const may = 'company.trade.sale.price-type';
  const refused = {
    status: 422,
    body: {
      codes: { price_type_id: ['price_type.forbidden'] },
      params: { price_type_id: [{ right: may }] },
    },
  };
  for (const request of [`PUT ${CLIENTS}/${id}`, `PATCH ${CLIENTS}/${id}`]) {
    const json = { ...client, price_type_id: null };
    expect(await call(request, { token: clerk, json })).toMatchObject(refused);
  }
  const other = { ...client, main_phone: '998901112234', price_type_id: type };
  expect(await call(`POST ${CLIENTS}`, { token: clerk, json: other })).toMatchObject(refused);
  const trusted = await newEmployee(family, [...rights, may]);
  const cleared = await call(`PATCH ${CLIENTS}/${id}`, { token: trusted, json: { price_type_id: null } });
  expect(cleared).toMatchObject({ status: 200, body: { price_type_id: null } });
  expect(await errorsOf(`POST ${CLIENTS}`, token, { ...other, price_type_id: type + 1000 })).toEqual({
    price_type_id: NOT_FOUND,
  });
  await call(`DELETE ${TYPES}/${type}`, { token });
  expect(await errorsOf(`POST ${CLIENTS}`, token, other)).toEqual({ price_type_id: NOT_FOUND });
});

test('a changed price by type has its own row in the repricing of the edit (Part 5, 5A.14 (2))', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const type = await make(TYPES, token, { name: 'Опт' });
  const at = (price: number) => [{ price_type_id: type, price, currency: 'uzs' }];
  const id = await make(PRODUCTS, token, card(catalog, { prices: at(4000) }));
  const rows = async () => {
    const { body } = await call('GET /company/trade/recalculation-batch?with[]=products', { token });
    return body;
  };
  await call(`PATCH ${PRODUCTS}/${id}`, { token, json: { sale_price: 6000, prices: at(4500) } });
  expect(await rows()).toMatchObject({
    data: [
      {
        ...{ type: 'single', products_count: 2 },
        products: [
          { product_id: id, price_type_id: null, previous_price: 5000, sale_price: 6000 },
          { product_id: id, price_type_id: type, previous_price: 4000, sale_price: 4500 },
        ],
      },
    ],
  });
  await call(`PATCH ${PRODUCTS}/${id}`, { token, json: { prices: [] } });
  expect(await rows()).toMatchObject({
    data: [
      { products: [{ price_type_id: type, previous_price: 4500, sale_price: 6000 }] },
      { products_count: 2 },
    ],
  });
});
