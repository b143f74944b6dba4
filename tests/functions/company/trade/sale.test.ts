import { expect, test } from 'vitest';
import { addClient } from '#tests/support/clients.ts';
import { newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make } from '#tests/support/records.ts';
import {
  cashOf,
  newGoods,
  newShop,
  piecesOf,
  type Shop,
  saleBody,
  sellOne,
  setRate,
} from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 10, cost: 3000 }];

/** Lists the postings of the shop's desk, the oldest first. */
function transfersOf({ cashboxId, director }: Shop): Promise<number[]> {
  return idsOf(`/company/cashbox/cashbox/${cashboxId}/transfers`, director);
}

test('a sale for cash takes the goods and brings the money', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sold = await sellOne(shop, id, 2, 5000);
  const [transfer_id] = await transfersOf(shop);
  expect(sold).toMatchObject({
    status: 200,
    body: {
      cashbox_id: shop.cashboxId,
      stock_id: shop.stockId,
      currency: 'uzs',
      purchased_amount: 6000,
      sold_amount: 10000,
      returned_amount: 0,
      status: 'completed',
      source_type: 'native',
      code: `#${sold.number('id')}`,
      transactions: [{ payment_type: 'cash', amount: 10000, transfer_id }],
    },
  });
  expect(await piecesOf(shop, id)).toBe(8);
  expect(await cashOf(shop)).toBe(10000);
});

test('goods are taken from the oldest batches first, and cost what those had cost', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [
    { quantity: 2, cost: 1000 },
    { quantity: 2, cost: 2000 },
  ]);
  expect((await sellOne(shop, id, 3, 5000)).body).toMatchObject({ purchased_amount: 4000 });
  expect((await sellOne(shop, id, 1, 5000)).body).toMatchObject({ purchased_amount: 2000 });
});

test('a sale may be paid by cash, card, bank, bonus and debt together', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client_id = await addClient(shop);
  const json = saleBody(shop, {
    client_id,
    due_date: '2099-01-31',
    products: [{ product_id: id, sold_quantity: 4 }],
    transactions: [
      { payment_type: 'cash', amount: 5000.25 },
      { payment_type: 'card', amount: 4999.75 },
      { payment_type: 'bank', amount: 6000 },
      { payment_type: 'debt', amount: 4000 },
    ],
  });
  const { status, body } = await call(SELL, { token: shop.director, json });
  expect(status).toBe(200);
  const transfers = (await transfersOf(shop)).map((transfer_id) => ({ transfer_id }));
  expect(transfers).toHaveLength(3);
  const [debt_id] = await idsOf('/company/client/debt', shop.director);
  expect(body).toMatchObject({ client_id, transactions: [...transfers, { transfer_id: null, debt_id }] });
  expect([await cashOf(shop), await cashOf(shop, 'card'), await cashOf(shop, 'bank')]).toEqual([
    5000.25, 4999.75, 6000,
  ]);
});

test('a sale keeps the rates of its moment, and the money that came in for it', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = saleBody(shop, {
    client_id: await addClient(shop),
    due_date: '2099-01-31',
    products: [{ product_id: id, sold_quantity: 2 }],
    transactions: [
      { payment_type: 'debt', amount: 1000 },
      { payment_type: 'card', amount: 4000 },
      { payment_type: 'cash', amount: 5000 },
    ],
  });
  const sold = await call(SELL, { token: shop.director, json });
  const rates = { uzs: 1, usd: 12_650, eur: 13_700, rub: 135 };
  expect(sold.body).toMatchObject({ rates, received_amount: 9000, paid_out_amount: 0 });
  await setRate(shop, 'usd', 13_000);
  const seen = await call(`GET /company/trade/sale/${sold.number('id')}`, { token: shop.director });
  expect(seen.body).toMatchObject({ rates, received_amount: 9000, paid_out_amount: 0 });
});

test('a bundle takes its products, and its price less the discount is shared over them', async () => {
  const shop = await newShop();
  const [tea, sugar] = [
    await newGoods(shop, WATER, { sale_price: 1000 }),
    await newGoods(shop, WATER, { sale_price: 500, is_bundle_only: true }),
  ];
  const bundle_id = await make('/company/product/bundle', shop.director, {
    name: 'Tea set',
    price: 2000,
    products: [
      { product_id: tea, quantity: 2 },
      { product_id: sugar, quantity: 0.5 },
    ],
  });
  const json = saleBody(shop, {
    products: [{ product_id: tea, sold_quantity: 1 }],
    bundles: [{ bundle_id, quantity: 2, discount: 0.01 }],
    transactions: [{ payment_type: 'cash', amount: 4999.99 }],
  });
  expect(await call(SELL, { token: shop.director, json })).toMatchObject({ body: { sold_amount: 4999.99 } });
  expect([await piecesOf(shop, tea), await piecesOf(shop, sugar)]).toEqual([5, 9]);
});

test('a discount needs the right to give one, and goes neither under the minimum nor over the amount', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, { min_price: 4000 });
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], places);
  const json = (discount: number) =>
    saleBody(shop, {
      products: [{ product_id: id, sold_quantity: 2, discount }],
      transactions: [{ payment_type: 'cash', amount: Math.max(0.01, 10000 - discount) }],
    });
  expect(await errorsOf(SELL, cashier, json(100))).toEqual({
    'products.0.discount': 'У вас нет права давать скидку.',
  });
  expect(await errorsOf(SELL, shop.director, json(2000.01))).toEqual({
    'products.0.discount': 'Цена не может быть ниже минимальной: 4000.',
  });
  expect(await errorsOf(SELL, shop.director, json(10000.01))).toMatchObject({
    'products.0.discount': 'Скидка не может превышать сумму.',
  });
  expect((await call(SELL, { token: shop.director, json: json(2000) })).body).toMatchObject({
    sold_amount: 8000,
  });
});

test('a sale over the free quantity is 422 on its quantity, and tells how much is available', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  expect(await sellOne(shop, id, 10.5, 5000)).toMatchObject({
    status: 422,
    body: { errors: { 'products.0.sold_quantity': ['Недостаточно товара: доступно 10.'] } },
  });
});

test('all problems are reported at once, each on its path, and nothing is changed', async () => {
  const [shop, stranger] = await Promise.all([newShop(), newFamily()]);
  const id = await newGoods(shop, WATER);
  const foreign = await make('/company/stock/stock', stranger.director, { name: 'Foreign' });
  await make('/company/stock/stock', stranger.director, { name: 'Foreign too' });
  const json = saleBody(shop, {
    stock_id: foreign + 1,
    client_id: 77,
    hold_id: 5,
    due_date: '2020-01-01',
    products: [
      { product_id: id, sold_quantity: 1, price: 4999 },
      { product_id: 4040, sold_quantity: 1 },
    ],
    bundles: [{ bundle_id: 505 }],
    transactions: [{ payment_type: 'cash', amount: 1 }],
  });
  expect(Object.keys(await errorsOf(SELL, shop.director, json)).sort()).toEqual([
    'bundles.0.bundle_id',
    'client_id',
    'due_date',
    'hold_id',
    'products.0.price',
    'products.1.product_id',
    'stock_id',
  ]);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([10, 0]);
});

test('a body out of bounds is 422 on the exact paths', async () => {
  const shop = await newShop();
  const json = saleBody(shop, {
    currency: 'gbp',
    cheque: 4,
    products: [
      { product_id: 1, sold_quantity: 0 },
      { product_id: 1, sold_quantity: 0.123456789 },
      { product_id: 2, sold_quantity: 1, price: 0, discount: -1 },
    ],
    bundles: [{ bundle_id: 1, quantity: 1001 }],
    transactions: [
      { payment_type: 'cash', amount: 0.001 },
      { payment_type: 'cash', amount: 1 },
      { payment_type: 'shells', amount: 1 },
    ],
  });
  expect(Object.keys(await errorsOf(SELL, shop.director, json)).sort()).toEqual(
    expect.arrayContaining([
      'bundles.0.quantity',
      'cheque',
      'currency',
      'products.0.sold_quantity',
      'products.1.sold_quantity',
      'products.2.discount',
      'products.2.price',
      'transactions.0.amount',
      'transactions.2.payment_type',
    ]),
  );
});

test('101 products are too many, and a product comes only once', async () => {
  const shop = await newShop();
  const many = Array.from({ length: 101 }, (_, index) => ({ product_id: index + 1, sold_quantity: 1 }));
  expect(Object.keys(await errorsOf(SELL, shop.director, saleBody(shop, { products: many })))).toEqual([
    'products',
  ]);
  const twice = saleBody(shop, { products: [many[0], many[0]] });
  expect(Object.keys(await errorsOf(SELL, shop.director, twice))).toContain('products.1.product_id');
});

test('a desk of another branch is 422: on the warehouse if the caller reaches both, else on the desk', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const branch = await newCompany(shop.companyId);
  const place = { type: 'director', company_id: branch, family_id: shop.companyId } as const;
  const { token: branchDirector } = await insertUser({ ...place, are_all_companies_available: false });
  const desk = { name: 'Branch desk', type: 'sale', company_id: branch };
  const theirs = await make('/company/cashbox/cashbox', shop.director, desk);
  const json = (cashboxId: number) =>
    saleBody(
      { ...shop, cashboxId },
      {
        products: [{ product_id: id, sold_quantity: 1 }],
        transactions: [{ payment_type: 'card', amount: 5000 }],
      },
    );
  expect(await errorsOf(SELL, shop.director, json(theirs))).toEqual({
    stock_id: 'Касса и склад должны принадлежать одной компании.',
  });
  expect(await errorsOf(SELL, branchDirector, json(shop.cashboxId))).toMatchObject({
    cashbox_id: 'Выбранная запись не найдена.',
  });
  expect([await piecesOf(shop, id), await cashOf(shop, 'card')]).toEqual([10, 0]);
});

test('a cashier sells only at the desks open to them', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const stock_ids = [shop.stockId];
  const places = { cashbox_ids: [shop.cashboxId], stock_ids };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], places);
  const other = await newEmployee(shop, ['company.trade.sale.store'], { cashbox_ids: [], stock_ids });
  const json = saleBody(shop, {
    products: [{ product_id: id, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
  });
  expect(await errorsOf(SELL, other, json)).toEqual({ cashbox_id: 'Выбранная запись не найдена.' });
  expect((await call(SELL, { token: cashier, json })).status).toBe(200);
});

test('a product priced in dollars is sold by the company’s rate', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, { sale_price: 1.5, sale_currency: 'usd' });
  expect((await sellOne(shop, id, 1, 18975)).body).toMatchObject({ sold_amount: 18975 });
});

test('a sale of a hundred products is made whole, or not at all', async () => {
  const shop = await newShop();
  const ids = await Promise.all(Array.from({ length: 100 }, () => newGoods(shop, WATER)));
  const body = (last: number) =>
    saleBody(shop, {
      products: ids.map((product_id, index) => ({ product_id, sold_quantity: index === 99 ? last : 1 })),
      transactions: [{ payment_type: 'cash', amount: 5000 * (99 + last) }],
    });
  const short = await call(SELL, { token: shop.director, json: body(11) });
  expect(short).toMatchObject({
    status: 422,
    body: { errors: { 'products.99.sold_quantity': expect.anything() } },
  });
  expect(await cashOf(shop)).toBe(0);
  const sold = await call(SELL, { token: shop.director, json: body(1) });
  expect(sold).toMatchObject({ status: 200, body: { sold_amount: 500000, products_count: 100 } });
  expect(await Promise.all(ids.map((id) => piecesOf(shop, id)))).toEqual(ids.map(() => 9));
});
