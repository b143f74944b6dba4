import { expect, test } from 'vitest';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { directorAs, newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { newCards, newWarehouse } from '#tests/support/stock.ts';

const DESKS = '/company/cashbox/cashbox';

/**
 * Creates a family with goods, a bundle, a warehouse and a desk to sell at, and the address of the desk's
 * drafts.
 */
async function newTill() {
  const family = await newFamilyWithBranch();
  const token = family.director;
  const goods = await newCards(family, 3);
  const stock_id = await newWarehouse(token);
  const cashbox_id = await make(DESKS, token, { name: 'Касса', type: 'sale' });
  const parts = goods.slice(1).map((product_id) => ({ product_id, quantity: 1 }));
  const bundle_id = await make('/company/product/bundle', token, {
    name: 'Набор',
    price: 10,
    products: parts,
  });
  const actor = directorAs(family.directorId, family.companyId);
  const drafts = `/company/trade/cashbox/${cashbox_id}/cheque`;
  return { ...family, token, goods, stock_id, cashbox_id, bundle_id, actor, drafts };
}

test('a draft is empty, is put, put again and cleared', async () => {
  const { token, goods, stock_id, cashbox_id, bundle_id, drafts } = await newTill();
  const empty = {
    cashbox_id,
    number: 2,
    stock_id: null,
    client_id: null,
    price_type_id: null,
    products: [],
    bundles: [],
    services: [],
    discount: null,
  };
  const seen = async (number = 2) => (await call(`GET ${drafts}/${number}`, { token })).body;
  expect(await seen()).toEqual({ ...empty, updated_at: null });

  const products = [
    { product_id: goods[0], quantity: 1.00000001, price: 20.5, discount: 1 },
    { product_id: goods[1], quantity: 2 },
  ];
  const client_id = await make('/company/client/client', token, {
    full_name: 'Али',
    main_phone: '998901112233',
  });
  const json = { stock_id, client_id, products, bundles: [{ bundle_id }] };
  const put = await call(`PUT ${drafts}/2`, { token, json });
  expect(put).toMatchObject({
    status: 200,
    body: {
      cashbox_id,
      number: 2,
      stock_id,
      client_id,
      products: [products[0], { ...products[1], price: null, discount: 0 }],
      bundles: [{ bundle_id, quantity: 1, price: null, discount: 0 }],
      updated_at: expect.stringMatching(/^\d{4}-/),
    },
  });
  expect(await seen()).toEqual(put.body);
  expect(await seen(1)).toMatchObject({ stock_id: null });

  const again = await call(`PUT ${drafts}/2`, { token, json: { stock_id } });
  expect(again.body).toMatchObject({ ...empty, stock_id });
  expect(await seen()).toEqual(again.body);
  for (let time = 0; time < 2; time++) {
    expect((await call(`DELETE ${drafts}/2`, { token })).body).toEqual({ message: 'Успешно' });
  }
  expect(await seen()).toMatchObject(empty);
});

test('a desk has three drafts, and shows them to whom it is open', async () => {
  const { token, stock_id, cashbox_id, drafts, branchDirector, ...family } = await newTill();
  const json = { stock_id };
  const outsider = await newEmployee(family, ['company.trade.*'], { cashbox_ids: [cashbox_id + 1] });
  const places = { cashbox_ids: [cashbox_id], stock_ids: [stock_id] };
  const allowed = await newEmployee(family, ['company.trade.*'], places);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const send = async (who: string, path: string) =>
      (await call(`${method} ${path}`, { token: who, ...(method === 'PUT' && { json }) })).status;
    for (const number of ['0', '4', 'x', '1.5']) expect(await send(token, `${drafts}/${number}`)).toBe(404);
    expect(await send(token, '/company/trade/cashbox/99/cheque/1')).toBe(404);
    for (const who of [branchDirector, outsider]) expect(await send(who, `${drafts}/1`)).toBe(404);
    expect(await send(allowed, `${drafts}/3`)).toBe(200);
  }
});

test('records named by a draft must exist and be open to the caller, or the error is on their path', async () => {
  const { token, goods, drafts, stock_id } = await newTill();
  const [known] = goods;
  const stranger = await newTill();
  const far = await newWarehouse(stranger.token, 'Дальний');
  const json = {
    stock_id: far,
    client_id: 1,
    products: [
      { product_id: known, quantity: 1 },
      { product_id: 99, quantity: 1 },
    ],
    bundles: [{ bundle_id: 99 }],
  };
  expect(await errorsOf(`PUT ${drafts}/1`, token, json)).toEqual({
    stock_id: NOT_FOUND,
    client_id: NOT_FOUND,
    'products.1.product_id': NOT_FOUND,
    'bundles.0.bundle_id': NOT_FOUND,
  });
  const twice = [known, known].map((product_id) => ({ product_id, quantity: 1 }));
  expect(await errorsOf(`PUT ${drafts}/1`, token, { stock_id, products: twice })).toEqual({
    'products.1.product_id': 'Значения не должны повторяться.',
  });
  expect((await call(`GET ${drafts}/1`, { token })).body).toMatchObject({ stock_id: null });
});

test('the products in an active sale are those of all drafts of the company, also in bundles', async () => {
  const { token, goods, stock_id, cashbox_id, bundle_id, actor, drafts, companyId, branch } = await newTill();
  const [first, second, third] = goods;
  const inSale = async () => [...(await productsInDrafts(actor, companyId))].sort((a, b) => a - b);
  expect(await inSale()).toEqual([]);
  const products = [{ product_id: first, quantity: 1 }];
  await call(`PUT ${drafts}/1`, { token, json: { stock_id, products } });
  expect(await inSale()).toEqual([first]);
  await call(`PUT ${drafts}/3`, { token, json: { stock_id, products, bundles: [{ bundle_id }] } });
  expect(await inSale()).toEqual([first, second, third]);
  expect(await productsInDrafts(actor, branch)).toEqual(new Set());
  await call(`DELETE ${drafts}/1`, { token });
  expect(await inSale()).toEqual([first, second, third]);
  await call(`DELETE ${DESKS}/${cashbox_id}`, { token });
  expect(await inSale()).toEqual([]);
});

test('a desk and a number with a leading zero are no ids: 404', async () => {
  const { director: token } = await newFamily();
  const desk = await make(DESKS, token, { name: 'Desk 1', type: 'sale' });
  const status = async (path: string) => (await call(`GET /company/trade/cashbox/${path}`, { token })).status;
  expect(await status(`${desk}/cheque/1`)).toBe(200);
  expect(await status(`0${desk}/cheque/1`)).toBe(404);
  expect(await status(`${desk}/cheque/01`)).toBe(404);
});
