import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { takeDeposit } from '#tests/support/deposits.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, make } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
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
import { closeWarehouse } from '#tests/support/stock.ts';

const SALE = '/company/trade/sale';
const WATER = [{ quantity: 100, cost: 3000 }];
const MINE = { id: null, code: null, sold_at: null, created_at: null, updated_at: null };

const Due = z.looseObject({ left: z.number(), total: z.number().optional() });
const Previewed = z.looseObject({ due: Due });

const cash = (amount: number, currency?: string) => ({ payment_type: 'cash', amount, currency });

async function previewed(shop: Shop, path: string, json: object) {
  const { status, body } = await call(`POST ${SALE}${path}`, { token: shop.director, json });
  expect({ status, body }).toMatchObject({ status: 200 });
  return Previewed.parse(body);
}

/** Returns the fields that a preview and the real answer share. */
function comparable(answer: object): object {
  const { id, code, sold_at, created_at, updated_at, transactions, due, ...others } = Object(answer);
  return { ...others, source_data: null };
}

test('a preview of a sale answers the sale without ids, code and times, and what is due (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client_id = await make('/company/client/client', shop.director, {
    full_name: 'Aziz',
    main_phone: '998901112233',
    debt_limits: { uzs: 30_000 },
  });
  const products = [{ product_id: id, sold_quantity: 3 }];
  const body = saleBody(shop, {
    client_id,
    products,
    transactions: [cash(5000), { payment_type: 'debt', amount: 4000 }],
  });
  const preview = await previewed(shop, '/preview', body);
  expect(preview).toMatchObject({
    ...MINE,
    client_id,
    sold_amount: 15_000,
    received_amount: 5000,
    transactions: [
      { payment_type: 'cash', amount: 5000, transfer_id: null, debt_id: null },
      { payment_type: 'debt', amount: 4000, transfer_id: null, debt_id: null },
    ],
    due: {
      total: 15_000,
      paid: 9000,
      left: 6000,
      change_amount: 0,
      bonuses: 0,
      deposit: 0,
      debt_left: 30_000,
    },
  });
  const without = await previewed(shop, '/preview', saleBody(shop, { products, transactions: undefined }));
  expect(without.due).toMatchObject({
    total: 15_000,
    paid: 0,
    left: 15_000,
    bonuses: 0,
    deposit: 0,
    debt_left: null,
  });
});

test('a preview writes nothing, draws no id and ignores the Idempotency-Key (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const first = (await sellOne(shop, id, 1, 5000)).number('id');
  const headers = { 'Idempotency-Key': 'preview' };
  const json = saleBody(shop, { products: [{ product_id: id, sold_quantity: 2 }] });
  for (const quantity of [1, 2]) {
    const more = { ...json, products: [{ product_id: id, sold_quantity: quantity }] };
    const reply = await call(`POST ${SALE}/preview`, { token: shop.director, json: more, headers });
    expect(reply.body).toMatchObject({ due: { left: quantity * 5000 } });
  }
  const [line] = await linesOfSale(shop, first);
  await previewed(shop, `/${first}/return/preview`, {});
  await previewed(shop, `/${first}/exchange/preview`, swap(shop, line?.id ?? 0, id));
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([99, 5000]);
  expect((await sellOne(shop, id, 1, 5000)).number('id')).toBe(first + 1);
});

function swap({ companyId, cashboxId, stockId }: Shop, line: number, product_id: number, given: object = {}) {
  return {
    ...{ cashbox_id: cashboxId, stock_id: stockId, company_id: companyId, currency: 'uzs' },
    returned_products: [{ id: line, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id, sold_quantity: 1 }],
    ...given,
  };
}

test('refusals of a preview are those of the sale; more than is due is one (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 2, cost: 3000 }]);
  const products = [{ product_id: id, sold_quantity: 3 }];
  const request = `POST ${SALE}/preview` as const;
  expect(await errorsOf(request, shop.director, saleBody(shop, { products, client_id: 99 }))).toEqual(
    await errorsOf(
      `POST ${SALE}`,
      shop.director,
      saleBody(shop, { products, client_id: 99, transactions: [cash(15_000)] }),
    ),
  );
  const two = saleBody(shop, {
    products: [{ product_id: id, sold_quantity: 2 }],
    transactions: [cash(10_000.01)],
  });
  expect(await errorsOf(request, shop.director, two)).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 10_000 } }),
  });
  await closeWarehouse(shop, shop.stockId);
  expect(await call(request, { token: shop.director, json: two })).toMatchObject(
    errorWith('stock.being_counted'),
  );
});

test.each(['key', 'sold_at', 'known_at', 'creator_id', 'fiscal'])(
  'a preview does not take %s: 422 (Part 5, 5B.5)',
  async (field) => {
    const shop = await newShop();
    const json = { ...saleBody(shop, {}), [field]: null };
    expect(Object.keys(await errorsOf(`POST ${SALE}/preview`, shop.director, json))).toContain(field);
  },
);

test('a preview needs the right of the real call (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sale = (await sellOne(shop, id, 1, 5000)).number('id');
  const place = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const token = await newEmployee(shop, ['company.trade.sale.store'], place);
  const json = saleBody(shop, { products: [{ product_id: id, sold_quantity: 1 }] });
  expect((await call(`POST ${SALE}/preview`, { token, json })).status).toBe(200);
  expect((await call(`POST ${SALE}/${sale}/return/preview`, { token, json: {} })).status).toBe(403);
  expect(
    (await call(`POST ${SALE}/${sale}/exchange/preview`, { token, json: swap(shop, 1, id) })).status,
  ).toBe(403);
});

test('a tracking code that is sold already is refused by a preview, too (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, { is_marked: true });
  const products = [{ product_id: id, sold_quantity: 1, marks: ['A1'] }];
  const json = saleBody(shop, { products, transactions: [cash(5000)] });
  expect((await call(`POST ${SALE}/preview`, { token: shop.director, json })).status).toBe(200);
  expect((await call(`POST ${SALE}`, { token: shop.director, json })).status).toBe(200);
  expect(await errorsOf(`POST ${SALE}/preview`, shop.director, json)).toEqual({
    'products.0.marks.0': translate('ru', { key: 'sale.mark_out' }),
  });
});

test('foreign cash of a previewed sale gives its change; of a return it is what can go back so (Part 5, 5B.5)', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, WATER);
  const products = [{ product_id: id, sold_quantity: 2 }];
  const json = saleBody(shop, { products, transactions: [cash(1, 'usd')] });
  await sellOne(shop, id, 10, 5000);
  expect((await previewed(shop, '/preview', json)).due).toMatchObject({
    paid: 10_000,
    left: 0,
    change_amount: 2500,
  });
  const sold = await call(`POST ${SALE}`, { token: shop.director, json: { ...json, change_amount: 2500 } });
  const preview = await previewed(shop, `/${sold.number('id')}/return/preview`, {});
  expect(preview.due).toMatchObject({
    value: 10_000,
    amount: 10_000,
    left: 10_000,
    foreign: [{ currency: 'usd', most: 0.8 }],
  });
  const part = await previewed(shop, `/${sold.number('id')}/return/preview`, {
    transactions: [cash(0.8, 'usd')],
  });
  expect(part.due).toMatchObject({ left: 0 });
});

const Refund = Previewed.extend({
  due: Due.extend({
    deposit_least: z.number(),
    foreign: z.array(z.object({ currency: z.string(), most: z.number() })),
  }),
});

/**
 * Previews a refund, on wish again with as much foreign cash as can go back by it, and returns the
 * payouts that are then left, of which the deposit gets as little as it may.
 */
async function refunded(shop: Shop, path: string, { inDollars, ...json }: { inDollars: boolean }) {
  const whole = Refund.parse(await previewed(shop, path, json));
  const foreign = whole.due.foreign
    .slice(0, inDollars ? 1 : 0)
    .map(({ most, currency }) => cash(most, currency));
  const preview = Refund.parse(await previewed(shop, path, { ...json, transactions: foreign }));
  const { left, deposit_least } = preview.due;
  const rest = [{ payment_type: 'deposit', amount: deposit_least }, cash(round(left - deposit_least))];
  const transactions = [...foreign, ...rest.filter(({ amount }) => amount !== 0)];
  return { preview, transactions };
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Dollars are exchanged at this rate: a cent is worth 110. */
const RATE = 11_000;

const someShare = fc.constantFrom(0, 0.01, 0.37, 0.5, 1);

/**
 * A sale: of a total, as many dollars as fit, then shares of the rest by deposit and on debt; and the share
 * of its goods that is exchanged for others.
 */
const someDay = fc.record({
  product: fc.nat(2),
  other: fc.nat(2),
  sold_quantity: fc.integer({ min: 1, max: 300 }).map((each) => each / 100),
  deposit: someShare,
  debt: someShare,
  early: someShare,
  paidInDollars: fc.boolean(),
  inDollars: fc.boolean(),
});

test('whatever is sold, exchanged and returned: with what was left paid, the real call passes and says the same (Part 5, 5B.5)', async () => {
  const owner = await newShop();
  await setRate(owner, 'usd', RATE);
  const goods = await Promise.all(
    [5000, 8000.35, 3333.33].map((sale_price) => newGoods(owner, WATER, { sale_price })),
  );
  const client_id = await addClient(owner);
  await takeDeposit(owner, client_id, 1_000_000);
  const place = { cashbox_ids: [owner.cashboxId], stock_ids: [owner.stockId] };
  const rights = ['store', 'return', 'exchange'].map((word) => `company.trade.sale.${word}`);
  const token = await newEmployee(owner, rights, place);
  const shop = { ...owner, director: token };
  await fc.assert(
    fc.asyncProperty(someDay, async ({ product, other, sold_quantity, inDollars, ...paid }) => {
      const products = [{ product_id: goods[product] ?? 0, sold_quantity }];
      const whole = await previewed(
        shop,
        '/preview',
        saleBody(shop, { client_id, products, transactions: [] }),
      );
      const cents = paid.paidInDollars ? Math.floor((whole.due.left * 100) / RATE) : 0;
      const rest = round(whole.due.left - (cents * RATE) / 100);
      const deposit = round(rest * paid.deposit);
      const early = [
        cash(cents / 100, 'usd'),
        { payment_type: 'deposit', amount: deposit },
        { payment_type: 'debt', amount: round((rest - deposit) * paid.debt) },
      ].filter(({ amount }) => amount > 0);
      const { due, ...seen } = await previewed(
        shop,
        '/preview',
        saleBody(shop, { client_id, products, transactions: early }),
      );
      const last = due.left > 0 ? [cash(due.left)] : [];
      const json = saleBody(shop, {
        client_id,
        products,
        due_date: '2099-01-01',
        transactions: [...early, ...last],
      });
      const sold = await call(`POST ${SALE}`, { token, json });
      expect(sold).toMatchObject({ status: 200, body: { sold_amount: due.total } });
      expect(comparable({ ...Object(sold.body), received_amount: null, bonus_earned: null })).toEqual(
        comparable({ ...seen, received_amount: null, bonus_earned: null }),
      );

      const sale = sold.number('id');
      const [line] = await linesOfSale(owner, sale);
      const returned = Math.max(0.01, round(sold_quantity * paid.early));
      const back = [{ id: line?.id, reason_type: 'not_match', returned_quantity: returned }];
      const swapped = swap(shop, 0, goods[other] ?? 0, { client_id, returned_products: back });
      const exchanged = await refunded(shop, `/${sale}/exchange/preview`, { ...swapped, inDollars });
      const real = await call(`POST ${SALE}/${sale}/exchange`, {
        token,
        json: { ...swapped, transactions: exchanged.transactions },
      });
      expect(real).toMatchObject({ status: 200 });
      const both = z.object({ original_sale: z.looseObject({}) });
      const after = ({ original_sale }: z.output<typeof both>) => comparable(original_sale);
      expect(after(both.parse(real.body))).toEqual(after(both.parse(exchanged.preview)));

      const remaining = returned < sold_quantity ? [sale] : [];
      for (const id of [real.number('exchange_sale.id'), ...remaining]) {
        const { preview, transactions } = await refunded(shop, `/${id}/return/preview`, { inDollars });
        const done = await call(`PATCH ${SALE}/${id}/return`, { token, json: { transactions } });
        expect(done).toMatchObject({ status: 200 });
        const { due: _, ...expected } = preview;
        expect(comparable(Object(done.body))).toEqual(comparable(expected));
      }
    }),
    { numRuns: 12 },
  );
  expect(await faultsOf(owner)).toEqual([]);
});
