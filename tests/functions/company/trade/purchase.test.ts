import { expect, test } from 'vitest';
import { newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { newCards, newWarehouse, PURCHASES, receiveGoods, stockLevelsOf } from '#tests/support/stock.ts';

const SUPPLIERS = '/company/stock/supplier';

/** Creates a family with goods, a warehouse and a supplier, and the body of a goods receipt of them. */
async function newShop(count = 2) {
  const family = await newFamily();
  const token = family.director;
  const [goods, stock_id, supplier_id] = await Promise.all([
    newCards(family, count),
    newWarehouse(token),
    make(SUPPLIERS, token, { name: 'Ферма' }),
  ]);
  const products = goods.map((product_id) => ({ product_id, quantity: 2.5, cost: 1000 }));
  const json = { stock_id, supplier_id, currency: 'uzs', products };
  return { ...family, token, goods, stock_id, supplier_id, json };
}

test('a draft is made with its total and changes nothing', async () => {
  const { token, json, companyId, directorId, stock_id, supplier_id } = await newShop();
  const { status, body } = await call(`POST ${PURCHASES}`, { token, json: { ...json, comment: ' Утро ' } });
  const [id] = await idsOf(PURCHASES, token);
  expect(body).toMatchObject({
    id,
    creator_id: directorId,
    company_id: companyId,
    stock_id,
    supplier_id,
    currency: 'uzs',
    amount: 5000,
    status: 'draft',
    comment: 'Утро',
    products_count: 2,
    completed_at: null,
  });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('is_deleted');
  expect(await stockLevelsOf(token)).toEqual([]);
  expect((await call(`GET ${SUPPLIERS}/${supplier_id}`, { token })).body).toMatchObject({
    balances: { uzs: 0 },
  });
});

test('a receipt shows its lines in their order, each with its product', async () => {
  const { token, json, goods } = await newShop();
  const [first, second] = goods;
  const products = [
    { product_id: second, quantity: 0.00000001, cost: 0 },
    { product_id: first, quantity: 3, cost: 10.33, sale_price: 20.5 },
  ];
  const id = await make(PURCHASES, token, { ...json, products });
  const query = 'with[]=stock&with[]=supplier&with[]=company&with[]=creator.profile';
  const shown = await call(`GET ${PURCHASES}/${id}?${query}`, { token });
  const line = shown.number('products.0.id');
  expect(shown.body).toMatchObject({
    amount: 30.99,
    stock: { name: 'Главный' },
    supplier: { name: 'Ферма' },
    company: { name: 'Savdo' },
    creator: { profile: { full_name: 'Test' } },
    products: [
      {
        id: line,
        product_id: second,
        quantity: 0.00000001,
        cost: 0,
        amount: 0,
        sale_price: null,
        product: { id: second, full_text: `Water ${second}` },
      },
      { id: line + 1, product_id: first, quantity: 3, cost: 10.33, amount: 30.99, sale_price: 20.5 },
    ],
  });
});

test('a draft is rewritten by the rules of a new one', async () => {
  const { token, json, goods } = await newShop(120);
  const id = await make(PURCHASES, token, json);
  const products = [{ product_id: goods[1], quantity: 1, cost: 7 }];
  const edited = await call(`PUT ${PURCHASES}/${id}`, {
    token,
    json: { ...json, supplier_id: null, currency: 'usd', products },
  });
  const wanted = { id, supplier_id: null, currency: 'usd', amount: 7, products_count: 1, status: 'draft' };
  expect(edited).toMatchObject({ status: 200, body: wanted });
  expect((await call(`GET ${PURCHASES}/${id}`, { token })).body).toMatchObject({ ...wanted, products });
  expect((await call(`PUT ${PURCHASES}/${id}`, { token, json: { ...json, stock_id: 99 } })).status).toBe(422);
  expect((await call(`GET ${PURCHASES}/${id}`, { token })).body).toMatchObject(wanted);
});

test('only a draft is edited or completed', async () => {
  const { token, json } = await newShop();
  const completed = await receiveGoods(token, json);
  const canceled = await make(PURCHASES, token, json);
  const confirmed = { status: 200, body: { message: 'Успешно' } };
  expect(await call(`PATCH ${PURCHASES}/${canceled}/cancel`, { token })).toMatchObject(confirmed);
  const before = await stockLevelsOf(token);
  for (const id of [completed, canceled]) {
    for (const request of [`PUT ${PURCHASES}/${id}`, `PATCH ${PURCHASES}/${id}/complete`]) {
      expect(await call(request, { token, ...(request.startsWith('PUT') && { json }) })).toMatchObject({
        status: 400,
        body: { message: 'Изменить или провести можно только черновик прихода.' },
      });
    }
  }
  expect(await stockLevelsOf(token)).toEqual(before);
  expect((await call(`GET ${PURCHASES}/${canceled}`, { token })).body).toMatchObject({ status: 'canceled' });
});

test('receipts are found by what is in them', async () => {
  const { token, json, stock_id, supplier_id, companyId, directorId } = await newShop();
  const completed = await receiveGoods(token, json);
  const other = await newWarehouse(token, 'Дальний');
  const draft = await make(PURCHASES, token, {
    ...json,
    stock_id: other,
    supplier_id: null,
    currency: 'usd',
  });
  const found = (query: string) => idsOf(PURCHASES, token, query);
  expect(await found('')).toEqual([completed, draft]);
  expect(await found(`filter[stock_id]=${stock_id}`)).toEqual([completed]);
  expect(await found(`filter[supplier_id]=${supplier_id}`)).toEqual([completed]);
  expect(await found('filter[status]=draft')).toEqual([draft]);
  expect(await found('filter[currency]=usd')).toEqual([draft]);
  expect(await found(`filter[company_id]=${companyId}&filter[creator_id]=${directorId}`)).toHaveLength(2);
  expect(await found(`filter[id]=${draft}`)).toEqual([draft]);
  expect(await found('filter[created_at][0]=2999-01-01')).toEqual([]);
  expect((await call(`GET ${PURCHASES}?show[]=with-deleted`, { token })).status).toBe(422);
});

test('a receipt of another family is 404, and so is one of a closed warehouse', async () => {
  const { token, json, ...family } = await newShop();
  const [stranger, other] = await Promise.all([newFamily(), newWarehouse(token, 'Дальний')]);
  const id = await make(PURCHASES, token, json);
  const employee = await newEmployee(family, ['company.trade.purchase.*'], { stock_ids: [other] });
  for (const outsider of [stranger.director, employee]) {
    for (const request of [
      `GET ${PURCHASES}/${id}`,
      `PATCH ${PURCHASES}/${id}/complete`,
      `PATCH ${PURCHASES}/${id}/cancel`,
    ]) {
      expect((await call(request, { token: outsider })).status).toBe(404);
    }
    expect((await call(`PUT ${PURCHASES}/${id}`, { token: outsider, json })).status).toBe(404);
    expect(await idsOf(PURCHASES, outsider)).toEqual([]);
    const { status, body } = await call(`POST ${PURCHASES}`, { token: outsider, json });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: { stock_id: [expect.any(String)] } },
    });
  }
});

test('a receipt belongs to the company of its warehouse', async () => {
  const family = await newFamilyWithBranch();
  const [product_id] = await newCards(family, 1);
  const stock_id = await newWarehouse(family.director, 'Филиал', { company_id: family.branch });
  const json = { stock_id, currency: 'uzs', products: [{ product_id, quantity: 1, cost: 1 }] };
  const made = await call(`POST ${PURCHASES}`, { token: family.director, json });
  expect(made.body).toMatchObject({ company_id: family.branch });
  expect(await idsOf(PURCHASES, family.branchDirector)).toEqual([made.number('id')]);
});
