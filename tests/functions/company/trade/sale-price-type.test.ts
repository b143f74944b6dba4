import { expect, test } from 'vitest';
import * as z from 'zod';
import { renderInstant } from '#lib/values/time.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { downloadPage, textsOnPage } from '#tests/support/pages.ts';
import { errorsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const TYPES = '/company/product/price-type';
const CLIENTS = '/company/client/client';
const MINUTE_MS = 60_000;

const Lines = z.object({ products: z.tuple([z.object({ id: z.int() })], z.unknown()) });

const WATER = [{ quantity: 100, cost: 1000 }];

/** Creates a shop with a product of 5000, by type 4000, and a client who buys by it. */
async function newWholesale() {
  const shop = await newShop();
  const { director: token } = shop;
  const type = await make(TYPES, token, { name: 'Опт' });
  const prices = [{ price_type_id: type, price: 4000, currency: 'uzs' }];
  const water = await newGoods(shop, WATER, { sale_price: 5000, prices });
  const tea = await newGoods(shop, WATER, { sale_price: 3000 });
  const person = { full_name: 'Алишер', main_phone: '998901112233', price_type_id: type };
  return { shop, token, type, prices, water, tea, client: await make(CLIENTS, token, person) };
}

/** Builds the body of a sale of one piece of each product. */
function bodyOf(shop: Shop, productIds: readonly number[], amount: number, given: object = {}) {
  return saleBody(shop, {
    products: productIds.map((product_id) => ({ product_id, sold_quantity: 1 })),
    transactions: [{ payment_type: 'cash', amount }],
    ...given,
  });
}

/** Reads the id of the first line of a sale. */
async function lineOf(token: string, id: number): Promise<number> {
  const { body } = await call(`GET ${SALES}/${id}`, { token });
  return Lines.parse(body).products[0].id;
}

test("a sale is priced by its client's price type, goods without a price of it by sale_price (Part 5, 5A.14 (2))", async () => {
  const { shop, token, type, water, tea, client } = await newWholesale();
  const json = bodyOf(shop, [water, tea], 7000, { client_id: client });
  const sold = await call(`POST ${SALES}`, { token, json });
  expect(sold).toMatchObject({ status: 200, body: { sold_amount: 7000, price_type_id: type } });
  const shown = await call(`GET ${SALES}/${sold.number('id')}`, { token });
  expect(shown.body).toMatchObject({
    price_type_id: type,
    products: [{ price: 4000 }, { price: 3000 }],
  });
  const plain = await call(`POST ${SALES}`, { token, json: bodyOf(shop, [water], 5000) });
  expect(plain).toMatchObject({ status: 200, body: { price_type_id: null } });
});

test("a price type other than the client's needs its right, in sales, previews, holds, drafts and exchanges (Part 5, 5A.14 (2))", async () => {
  const { shop, token, type, water, client } = await newWholesale();
  const other = await make(TYPES, token, { name: 'VIP' });
  const rights = ['sale.store', 'sale.exchange', 'hold.store', 'cashbox.cheque.update', 'sale.sync'].map(
    (word) => `company.trade.${word}`,
  );
  const at = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const seller = await newEmployee(shop, rights, at);
  const id = (await call(`POST ${SALES}`, { token, json: bodyOf(shop, [water], 5000) })).number('id');
  const goods = { products: [{ product_id: water, quantity: 1 }] };
  const draft = { stock_id: shop.stockId, ...goods };
  const hold = { cashbox_id: shop.cashboxId, cheque: 1, full_name: 'Алишер', ...draft };
  const exchange = {
    ...bodyOf(shop, [water], 1, { company_id: shop.companyId }),
    returned_products: [{ id: await lineOf(token, id), returned_quantity: 1, reason_type: 'not_match' }],
  };
  const cheque = `PUT /company/trade/cashbox/${shop.cashboxId}/cheque/1`;
  const bodies: readonly (readonly [string, object])[] = [
    [`POST ${SALES}`, bodyOf(shop, [water], 4000)],
    [`POST ${SALES}/preview`, bodyOf(shop, [water], 4000)],
    [`POST ${SALES}/${id}/exchange`, exchange],
    ['POST /company/trade/hold', hold],
    [cheque, draft],
  ];
  for (const [request, body] of bodies) {
    const named = (price_type_id: number, by: string) =>
      call(request, { token: by, json: { ...body, price_type_id } });
    const refused = await named(type, seller);
    expect([request, Object(refused.body).codes]).toMatchObject([
      request,
      { price_type_id: ['price_type.forbidden'] },
    ]);
    const unknown = await named(type + 1000, token);
    expect([request, Object(unknown.body).errors]).toMatchObject([request, { price_type_id: [NOT_FOUND] }]);
  }
  const own = bodyOf(shop, [water], 4000, { client_id: client, price_type_id: type });
  expect(await call(`POST ${SALES}`, { token: seller, json: own })).toMatchObject({
    status: 200,
    body: { price_type_id: type },
  });
  const trusted = await newEmployee(shop, [...rights, 'company.trade.sale.price-type'], at);
  const sold = await call(`POST ${SALES}`, {
    token: trusted,
    json: bodyOf(shop, [water], 5000, { client_id: client, price_type_id: other }),
  });
  expect(sold).toMatchObject({ status: 200, body: { price_type_id: other, sold_amount: 5000 } });
});

test('holds, exchanges and previews are priced by the type, and holds keep it (Part 5, 5A.14 (2))', async () => {
  const { shop, token, type, water, tea } = await newWholesale();
  const place = { cashbox_id: shop.cashboxId, cheque: 1, price_type_id: type };
  const held = await call('POST /company/trade/hold', {
    token,
    json: {
      ...place,
      ...{ stock_id: shop.stockId, full_name: 'Алишер', products: [{ product_id: water, quantity: 2 }] },
    },
  });
  expect(held).toMatchObject({ status: 200, body: { amount: 8000 } });
  const hold = held.number('id');
  expect((await call(`GET /company/trade/hold/${hold}`, { token })).body).toMatchObject({
    price_type_id: type,
  });
  const json = bodyOf(shop, [water], 4000, { price_type_id: type });
  const previewed = await call(`POST ${SALES}/preview`, { token, json });
  expect(previewed.body).toMatchObject({ price_type_id: type, due: { total: 4000, left: 0 } });
  const id = (await call(`POST ${SALES}`, { token, json: bodyOf(shop, [tea], 3000) })).number('id');
  const exchanged = await call(`POST ${SALES}/${id}/exchange`, {
    token,
    json: {
      ...bodyOf(shop, [water], 1000, { company_id: shop.companyId, price_type_id: type }),
      returned_products: [{ id: await lineOf(token, id), returned_quantity: 1, reason_type: 'not_match' }],
    },
  });
  expect(exchanged).toMatchObject({
    status: 200,
    body: { exchange_sale: { sold_amount: 4000, price_type_id: type } },
  });
  const draft = { stock_id: shop.stockId, price_type_id: type, products: [] };
  const cheque = `/company/trade/cashbox/${shop.cashboxId}/cheque/2`;
  await call(`PUT ${cheque}`, { token, json: draft });
  expect((await call(`GET ${cheque}`, { token })).body).toMatchObject({ price_type_id: type });
});

test("a hold is priced by its client's type, and keeps it for goods that are added (Part 5, 5A.14 (2))", async () => {
  const { shop, token, type, water, tea, client } = await newWholesale();
  const desk = { cashbox_id: shop.cashboxId, cheque: 1 };
  const held = await call('POST /company/trade/hold', {
    token,
    json: {
      ...{ ...desk, stock_id: shop.stockId, full_name: 'Алишер', client_id: client },
      products: [{ product_id: tea, quantity: 1 }],
    },
  });
  const hold = held.number('id');
  const json = { ...desk, products: [{ product_id: water, quantity: 1 }] };
  expect(await call(`PATCH /company/trade/hold/${hold}/add-products`, { token, json })).toMatchObject({
    status: 200,
    body: { price_type_id: type, amount: 7000 },
  });
});

test('a deleted price type counts as none (Part 5, 5A.14 (2))', async () => {
  const { shop, token, type, water, client } = await newWholesale();
  await call(`DELETE ${TYPES}/${type}`, { token });
  for (const given of [{ client_id: client }, { price_type_id: type }]) {
    const sold = await call(`POST ${SALES}`, { token, json: bodyOf(shop, [water], 5000, given) });
    expect(sold).toMatchObject({ status: 200, body: { price_type_id: null, sold_amount: 5000 } });
  }
});

test('a price by type is a usual price: another needs is_free_price, and the minimum holds after a discount (Part 5, 5A.14 (2))', async () => {
  const { shop, token, type, water } = await newWholesale();
  await call(`PATCH /company/product/product/${water}`, { token, json: { min_price: 3500 } });
  const at = (line: object, amount: number) =>
    bodyOf(shop, [], amount, {
      price_type_id: type,
      products: [{ product_id: water, sold_quantity: 1, ...line }],
    });
  const refuse = async (line: object, amount: number) => {
    const { body } = await call(`POST ${SALES}`, { token, json: at(line, amount) });
    return Object(body).codes;
  };
  expect(await refuse({ price: 5000 }, 5000)).toEqual({ 'products.0.price': ['sale.price_fixed'] });
  expect(await refuse({ discount: 501 }, 3499)).toEqual({ 'products.0.discount': ['sale.price_too_low'] });
  expect(await call(`POST ${SALES}`, { token, json: at({ price: 4000 }, 4000) })).toMatchObject({
    status: 200,
  });
});

test('a late sale is judged by the prices of its type, the type of its client and its right of then (Part 5, 5.0 (5))', async () => {
  const { shop, token, type, water, client } = await newWholesale();
  const late = (price: number, given: object = {}) =>
    saleBody(shop, {
      sold_at: renderInstant(Date.now() - MINUTE_MS),
      client_id: client,
      products: [{ product_id: water, sold_quantity: 1, price }],
      transactions: [{ payment_type: 'cash', amount: price }],
      ...given,
    });
  const sell = (json: object) => call(`POST ${SALES}`, { token, json });
  const patch = (path: string, json: object) => call(`PATCH ${path}`, { token, json });
  await patch(`/company/product/product/${water}`, {
    prices: [{ price_type_id: type, price: 4500, currency: 'uzs' }],
  });
  expect(await sell(late(4000))).toMatchObject({ status: 200, body: { price_type_id: type } });
  expect(await sell(late(4500))).toMatchObject({ status: 200, body: { price_type_id: type } });
  await patch(`${CLIENTS}/${client}`, { price_type_id: null });
  expect(await sell(late(4000))).toMatchObject({ status: 200, body: { price_type_id: type } });
  expect(await sell(late(5000))).toMatchObject({ status: 200, body: { price_type_id: null } });
  await call(`DELETE ${TYPES}/${type}`, { token });
  expect(await sell(late(4500))).toMatchObject({ status: 200, body: { price_type_id: type } });
  expect((await sell(late(4200))).status).toBe(422);
});

test("a key with another price_type_id is another sale's (Part 5, 5.0 (5); Part 4, 4.4 (1))", async () => {
  const { shop, token, type, water } = await newWholesale();
  const json = bodyOf(shop, [water], 4000, { price_type_id: type, key: 'K1' });
  const first = await call(`POST ${SALES}`, { token, json });
  expect(first.status).toBe(200);
  expect((await call(`POST ${SALES}`, { token, json })).number('id')).toBe(first.number('id'));
  const other = await call(`POST ${SALES}`, { token, json: { ...json, price_type_id: null } });
  expect(other.status).toBe(409);
});

test('a scan and tags have the price of a type (Part 5, 5A.12 (3); Part 5, 5B.8)', async () => {
  const { token, type, water, client } = await newWholesale();
  const { body } = await call(`GET /company/product/product/${water}`, { token });
  const scan = (query: string) =>
    call(`GET /company/product/scan?code=${Object(body).barcode}&${query}`, { token });
  expect((await scan('')).body).toMatchObject({ price: 5000 });
  expect((await scan(`price_type_id=${type}`)).body).toMatchObject({ price: 4000, amount: 4000 });
  expect((await scan(`client_id=${client}`)).body).toMatchObject({ price: 4000 });
  expect(await scan(`price_type_id=${type + 1000}`)).toMatchObject({
    status: 422,
    body: { errors: { price_type_id: [NOT_FOUND] } },
  });
  const tags = { products: [{ product_id: water }], size: '58x40' };
  const page = await downloadPage('/company/product/product/tags', {
    token,
    json: { ...tags, price_type_id: type },
  });
  expect(textsOnPage(page)).toEqual(expect.arrayContaining([expect.stringMatching(/^4\u00a0000,00/)]));
  expect(
    await errorsOf('POST /company/product/product/tags', token, { ...tags, price_type_id: type + 1000 }),
  ).toEqual({ price_type_id: NOT_FOUND });
});
