import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { allCashOf, inCash, transfersOf, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { downloadPage, textsOnPage } from '#tests/support/pages.ts';
import { errorsOf } from '#tests/support/records.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, setRate } from '#tests/support/shop.ts';

const STOCK = [{ quantity: 100, cost: 1 }];
const TENDERED = 'transactions.0.tendered_amount';
const NOT_CASH = translate('ru', { key: 'sale.tendered_not_cash' });
const PAYOUT = translate('ru', { key: 'exchange.tendered_payout' });
const tooLittle = (amount: number) => translate('ru', { key: 'sale.tendered_too_little', with: { amount } });

/** Creates a shop with pieces of a product at 5000 sums, and dollars at 12 500. */
async function newTill() {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  return { shop, id: await newGoods(shop, STOCK) };
}

/** Builds a payment in cash, of which more was handed over. */
function handed(amount: number, tendered_amount: number, currency?: string): object {
  return { ...inCash(amount, currency), tendered_amount };
}

test('cash as handed over is kept and shown with its change, null by other payments, and moves nothing (Part 5, 5B.6)', async () => {
  const { shop, id } = await newTill();
  const card = { payment_type: 'card', amount: 2000 };
  const sold = await trySelling(shop, [id, 1], [card, handed(3000, 10_000)]);
  const transactions = [
    { payment_type: 'card', amount: 2000, tendered_amount: null, cash_change: null },
    { payment_type: 'cash', amount: 3000, counted_amount: 3000, tendered_amount: 10_000, cash_change: 7000 },
  ];
  expect(sold).toMatchObject({
    status: 200,
    body: { transactions, received_amount: 5000, change_amount: 0 },
  });
  const number = sold.number('id');
  const shown = await call(`GET /company/trade/sale/${number}`, { token: shop.director });
  expect(shown.body).toMatchObject({ transactions });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 3000 });
  expect(await transfersOf(shop)).toEqual([
    `sale ${number} income card uzs 2000`,
    `sale ${number} income cash uzs 3000`,
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('one key sells once, whatever was handed over: it is not compared (Part 5, 5.0 (5))', async () => {
  const { shop, id } = await newTill();
  const sell = (given: object) => trySelling(shop, [id, 1], [{ ...inCash(5000), ...given }], { key: 'k-1' });
  const first = await sell({ tendered_amount: 10_000 });
  for (const given of [{ tendered_amount: 20_000 }, {}]) {
    const again = await sell(given);
    expect(again.number('id')).toBe(first.number('id'));
    expect(again.body).toMatchObject({ transactions: [{ tendered_amount: 10_000, cash_change: 5000 }] });
  }
});

test('the cheque, the invoice and their slips print what was handed over, and the change (Part 5, 5B.6)', async () => {
  const { shop, id } = await newTill();
  const { director: token } = shop;
  const sale = (await trySelling(shop, [id, 1], [handed(5000, 20_000)])).number('id');
  const expected = ['Получено наличными, UZS', 'Сдача, UZS'];
  for (const form of ['print', 'invoice']) {
    const path = `/company/trade/sale/${sale}/${form}`;
    const texts = textsOnPage(await downloadPage(`${path}?format=html`, { token }));
    const money = ['20\u00a0000,00', '15\u00a0000,00'];
    expect(texts).toEqual(expect.arrayContaining([...expected, ...money]));
  }
  const { rows } = await downloadSheet(`/company/trade/sale/${sale}/print`, token);
  const cells = rows.flat();
  expect(cells).toEqual(expect.arrayContaining([...expected, 20_000, 15_000]));
});

test('a surcharge of an exchange may be handed over so, a payout may not: 422 (Part 5, 5B.6)', async () => {
  const { shop, id } = await newTill();
  const [dear, cheap] = await Promise.all(
    [8000, 3000].map((sale_price) => newGoods(shop, STOCK, { sale_price })),
  );
  const sale = (await trySelling(shop, [id, 2], [inCash(10_000)])).number('id');
  const [line] = await linesOfSale(shop, sale);
  const body = (product_id: number | undefined, transactions: readonly object[]) => ({
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id, sold_quantity: 1 }],
    transactions,
  });
  const exchange = `POST /company/trade/sale/${sale}/exchange`;
  const refusal = (product_id: number | undefined, payment: object) =>
    errorsOf(exchange, shop.director, body(product_id, [payment]));
  expect(await refusal(cheap, handed(2000, 2000))).toEqual({ [TENDERED]: PAYOUT });
  expect(await refusal(dear, handed(3000, 2999))).toEqual({ [TENDERED]: tooLittle(3000) });
  const card = { payment_type: 'card', amount: 3000, tendered_amount: 3000 };
  expect(await refusal(dear, card)).toEqual({ [TENDERED]: NOT_CASH });
  const done = await call(exchange, { token: shop.director, json: body(dear, [handed(3000, 5000)]) });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  const { data } = z
    .object({ data: z.array(z.looseObject({ exchange_of_sale_id: z.int().nullable() })) })
    .parse((await call('GET /company/trade/sale', { token: shop.director })).body);
  expect(data.find(({ exchange_of_sale_id }) => exchange_of_sale_id === sale)).toMatchObject({
    transactions: [{ amount: 3000, tendered_amount: 5000, cash_change: 2000 }],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a payout of a return has no `tendered_amount`: 422 (Part 5, 5B.6)', async () => {
  const { shop, id } = await newTill();
  const sale = (await trySelling(shop, [id, 1], [inCash(5000)])).number('id');
  const { status, body } = await sendReturn(shop, sale, { transactions: [handed(5000, 5000)] });
  expect([status, Object.keys(Object(body).errors)]).toEqual([422, [TENDERED]]);
});
