import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { sendReturn } from '#tests/support/returns.ts';
import { newService, saleOf, sellCash } from '#tests/support/services.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop, saleBody, setRate } from '#tests/support/shop.ts';
import { startStocktake } from '#tests/support/stocktakes.ts';

const SALE = '/company/trade/sale';

const Card = z.object({ name: z.string(), service_unit_id: z.int() });

const WATER = [{ quantity: 10, cost: 3000 }];

/** Sends a sale that is refused, and returns its errors. */
function refused(shop: Shop, given: object, token = shop.director): Promise<Record<string, string>> {
  return errorsOf(`POST ${SALE}`, token, saleBody(shop, given));
}

const cash = (amount: number) => [{ payment_type: 'cash', amount }];

test('a sale sells services beside goods: its sums count both, and no stock moves for them (Part 5, 5A.1 (2), (3))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const services = [{ service_id: repair, quantity: 1.5, discount: 1000 }, { service_id: repair }];
  const made = await sellCash(shop, 54_000, {
    products: [{ product_id: water, sold_quantity: 1 }],
    services,
  });
  expect(made).toMatchObject({
    status: 200,
    body: { sold_amount: 54_000, discount_amount: 1000, purchased_amount: 3000 + 12_500, products_count: 1 },
  });
  const sale = await saleOf(shop, made.number('id'));
  const line = {
    service_id: repair,
    price: 20_000,
    returned_quantity: 0,
    refunded_amount: 0,
    returned_cost: 0,
  };
  expect(sale.services).toMatchObject([
    {
      ...line,
      quantity: 1.5,
      discount: 1000,
      amount: 29_000,
      cost: 7500,
      vat_percent: 12,
      vat_amount: 3107.14,
    },
    { ...line, quantity: 1, discount: 0, amount: 20_000, cost: 5000, vat_percent: 12, vat_amount: 2142.86 },
  ]);
  const ids = [...sale.products, ...sale.services].map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  const listed = await call(`GET ${SALE}?with[]=products`, { token: shop.director });
  expect(listed.body).toMatchObject({
    data: [{ products: [{ id: ids[0] }], services: [{ id: ids[1] }, { id: ids[2] }] }],
  });
  expect([await piecesOf(shop, water), await cashOf(shop)]).toEqual([9, 54_000]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a cheque of services alone passes a stocktake of its warehouse, and so does its return (Part 5, 5A.1 (3))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER), await newService(shop)];
  await startStocktake(shop);
  const products = [{ product_id: water, sold_quantity: 1 }];
  const services = [{ service_id: repair }];
  expect(await sellCash(shop, 25_000, { products, services })).toMatchObject({
    status: 400,
    body: { code: 'stock.being_counted' },
  });
  const made = await sellCash(shop, 20_000, { services });
  expect(made).toMatchObject({ status: 200, body: { products_count: 0, sold_amount: 20_000 } });
  const id = made.number('id');
  expect(await sendReturn(shop, id, { transactions: cash(20_000) })).toMatchObject({
    status: 200,
    body: { status: 'full_returned', returned_amount: 20_000, services: [{ returned_quantity: 1 }] },
  });
  const again = await sendReturn(shop, id, {});
  expect(again).toMatchObject({ status: 400, body: { code: 'return.nothing_left' } });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a deleted service, another price and a discount are 422 on their fields (Part 5, 5A.1 (2))', async () => {
  const shop = await newShop();
  const [gone, fixed, free] = [
    await newService(shop),
    await newService(shop, { name: 'Cleaning' }),
    await newService(shop, { name: 'Delivery', is_free_price: true }),
  ];
  await call(`DELETE /company/product/service/${gone}`, { token: shop.director });
  const services = [
    { service_id: gone },
    { service_id: fixed, price: 19_999 },
    { service_id: free, price: 1 },
    { service_id: free, discount: 20_000.01 },
  ];
  expect(await refused(shop, { services, transactions: cash(1) })).toEqual({
    'services.0.service_id': NOT_FOUND,
    'services.1.price': translate('ru', { key: 'sale.price_fixed' }),
    'services.3.discount': translate('ru', { key: 'sale.discount_too_large' }),
  });
  const rights = ['company.trade.sale.store'];
  const seller = await newEmployee(shop, rights, {
    cashbox_ids: [shop.cashboxId],
    stock_ids: [shop.stockId],
  });
  const discounted = { services: [{ service_id: free, discount: 1 }], transactions: cash(19_999) };
  expect(await refused(shop, discounted, seller)).toEqual({
    'services.0.discount': translate('ru', { key: 'sale.discount_forbidden' }),
  });
  const many = Array.from({ length: 51 }, () => ({ service_id: free }));
  expect(Object.keys(await refused(shop, { services: many }))).toEqual(['services']);
  expect(await refused(shop, {})).toEqual({ products: translate('ru', { key: 'sale.no_lines' }) });
});

test('price and cost of a service are converted to the sale currency, each rounded once (Part 5, 5A.1 (2), (3))', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_000);
  const repair = await newService(shop, { currency: 'usd', price: 2.5, cost: 0.01 });
  const free = await newService(shop, { name: 'Free', cost: null });
  const services = [{ service_id: repair, quantity: 0.333 }, { service_id: free }];
  const made = await sellCash(shop, 29_990, { services });
  expect(made.body).toMatchObject({
    purchased_amount: 39.96,
    services: [{ price: 30_000, amount: 9990, cost: 39.96 }, { cost: 0 }],
  });
});

test('services come back by quantity, with reasons of their own; a return without lines takes all that remains of both (Part 5, 5A.1 (4))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const made = await sellCash(shop, 65_000, {
    products: [{ product_id: water, sold_quantity: 1 }],
    services: [{ service_id: repair, quantity: 3 }],
  });
  const sale = await saleOf(shop, made.number('id'));
  const id = sale.services[0]?.id;
  const part = (given: object) => ({ services: [{ id, reason_type: 'defective', ...given }] });
  const path = `PATCH ${SALE}/${sale.id}/return`;
  const wrong = part({ reason_type: 'expired_date', returned_quantity: 1 });
  expect(Object.keys(await errorsOf(path, shop.director, wrong))).toEqual(['services.0.reason_type']);
  const unknown = { services: [{ id: 999, reason_type: 'defective', returned_quantity: 1 }] };
  expect(await errorsOf(path, shop.director, unknown)).toEqual({ 'services.0.id': NOT_FOUND });
  const tooMuch = await errorsOf(path, shop.director, part({ returned_quantity: 3.5 }));
  expect(Object.keys(tooMuch)).toEqual(['services.0.returned_quantity']);
  const first = await sendReturn(shop, sale.id, {
    ...part({ returned_quantity: 1, comment: 'Late' }),
    transactions: cash(20_000),
  });
  expect(first.body).toMatchObject({
    status: 'partial_returned',
    services: [{ returned_quantity: 1, refunded_amount: 20_000, returned_cost: 5000 }],
  });
  expect(await sendReturn(shop, sale.id, { transactions: cash(45_000) })).toMatchObject({
    body: { status: 'full_returned', returned_amount: 65_000 },
  });
  const returns = await call(`GET ${SALE}/return?sort[]=id`, { token: shop.director });
  expect(returns.body).toMatchObject({
    data: [
      {
        amount: 20_000,
        comment: 'Late',
        products: [],
        services: [
          { id, returned_quantity: 1, reason_type: 'defective', amount: 20_000, vat_amount: 2142.86 },
        ],
      },
      { amount: 45_000, products: [{ amount: 5000 }], services: [{ id, amount: 40_000, reason_type: null }] },
    ],
  });
  expect([await piecesOf(shop, water), await cashOf(shop)]).toEqual([10, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('an exchange takes services back and sells others, with goods or without (Part 5, 5A.1 (1), (4))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const made = await sellCash(shop, 20_000, { services: [{ service_id: repair }] });
  const sale = await saleOf(shop, made.number('id'));
  const exchange = (given: object) =>
    call(`POST ${SALE}/${sale.id}/exchange`, {
      token: shop.director,
      json: { company_id: shop.companyId, ...saleBody(shop, given) },
    });
  expect(await exchange({ services: [{ service_id: repair }] })).toMatchObject({
    status: 422,
    body: { errors: { returned_products: [REQUIRED] } },
  });
  const returned_services = [{ id: sale.services[0]?.id, reason_type: 'not_match', returned_quantity: 1 }];
  const done = await exchange({
    returned_services,
    products: [{ product_id: water, sold_quantity: 1 }],
    services: [{ service_id: repair }],
    transactions: cash(5000),
  });
  expect(done).toMatchObject({
    status: 200,
    body: {
      original_sale: { status: 'full_returned', services: [{ returned_quantity: 1 }] },
      exchange_sale: { sold_amount: 25_000, exchanged_amount: 20_000, services: [{ amount: 20_000 }] },
    },
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a draft keeps services; a hold made of it leaves them there (Part 5, 5A.1 (1))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const { director: token, stockId: stock_id, cashboxId: cashbox_id } = shop;
  const draft = `/company/trade/cashbox/${cashbox_id}/cheque/1`;
  const products = [{ product_id: water, quantity: 1 }];
  const services = [{ service_id: repair, quantity: 2, discount: 5 }];
  expect(await call(`PUT ${draft}`, { token, json: { stock_id, products, services } })).toMatchObject({
    status: 200,
    body: { services: [{ service_id: repair, quantity: 2, price: null, discount: 5 }] },
  });
  const unknown = { stock_id, services: [{ service_id: 999 }] };
  expect(await errorsOf(`PUT ${draft}`, token, unknown)).toEqual({ 'services.0.service_id': NOT_FOUND });
  const hold = { cashbox_id, stock_id, cheque: 1, full_name: 'Aziz', products };
  expect(await call('POST /company/trade/hold', { token, json: hold })).toMatchObject({ status: 200 });
  expect((await call(`GET ${draft}`, { token })).body).toMatchObject({
    products: [],
    bundles: [],
    services: [{ service_id: repair, quantity: 2 }],
  });
  await call(`PUT ${draft}`, { token, json: { stock_id, products } });
  await call('POST /company/trade/hold', { token, json: hold });
  expect((await call(`GET ${draft}`, { token })).body).toMatchObject({ stock_id: null, services: [] });
});

test('with a hold and no goods a sale sells the whole hold and its services (Part 5, 5A.1 (1))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const { director: token, stockId: stock_id, cashboxId: cashbox_id } = shop;
  const hold = {
    cashbox_id,
    stock_id,
    cheque: 1,
    full_name: 'Aziz',
    products: [{ product_id: water, quantity: 2 }],
  };
  const held = await call('POST /company/trade/hold', { token, json: hold });
  const made = await sellCash(shop, 30_000, {
    hold_id: held.number('id'),
    services: [{ service_id: repair }],
  });
  expect(made).toMatchObject({ status: 200, body: { products_count: 1, sold_amount: 30_000 } });
  expect(await faultsOf(shop)).toEqual([]);
});

test('the same key with other services is another sale (Part 5, 5.0 (5))', async () => {
  const shop = await newShop();
  const repair = await newService(shop);
  const send = (quantity: number) =>
    sellCash(shop, 20_000 * quantity, { key: 'a', services: [{ service_id: repair, quantity }] });
  expect(await send(1)).toMatchObject({ status: 200 });
  expect(await send(1)).toMatchObject({ status: 200, body: { sold_amount: 20_000 } });
  expect(await send(2)).toMatchObject({ status: 409, body: { code: 'sale.key_reused' } });
});

test('a late sale names the prices of its services, and is as of a moment of theirs (Part 5, 5.0 (5))', async () => {
  const shop = await newShop();
  const repair = await newService(shop);
  const sold_at = renderInstant(Date.now() - 1000);
  const late = (price?: number) => ({
    sold_at,
    services: [{ service_id: repair, ...(price !== undefined && { price }) }],
  });
  expect(await refused(shop, { ...late(), transactions: cash(20_000) })).toEqual({
    'services.0.price': REQUIRED,
  });
  const token = shop.director;
  const path = `/company/product/service/${repair}`;
  const card = Card.parse((await call(`GET ${path}`, { token })).body);
  await call(`PUT ${path}`, { token, json: { ...card, price: 30_000, vat_percent: 5 } });
  expect(await sellCash(shop, 20_000, late(20_000))).toMatchObject({
    status: 200,
    body: { services: [{ price: 20_000, vat_percent: 12 }] },
  });
  const other = await refused(shop, { ...late(25_000), transactions: cash(25_000) });
  expect(Object.keys(other)).toEqual(['services.0.price']);
});
