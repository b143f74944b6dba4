import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { lastCosts } from '#lib/stock/last-cost.ts';
import { familyTenant } from '#lib/table/keys.ts';
import {
  correct,
  newSuppliedShop,
  receiptAmountOf,
  type SuppliedShop,
  worthInStock,
} from '#tests/support/cost-corrections.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { lastDays, readReport } from '#tests/support/reports.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { setRate } from '#tests/support/shop.ts';
import { PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { batchesOf, holdGoods } from '#tests/support/trade.ts';
import { end, TRANSFERS } from '#tests/support/transfers.ts';
import { patch, supplierOperationsOf, writeOffAtOnce } from '#tests/support/write-offs.ts';

const CORRECTIONS = '/company/trade/cost-correction';

/** Sells pieces of the shop's first product, and returns the sale and its line. */
async function sell(shop: SuppliedShop, sold_quantity: number) {
  const sale = await sellFor(shop, {
    products: [{ product_id: shop.goods[0], sold_quantity }],
    transactions: [{ payment_type: 'cash', amount: 5000 * sold_quantity }],
  });
  return { sale, line: (await linesOfSale(shop, sale))[0]?.id ?? 0 };
}

function giveBack(shop: SuppliedShop, { sale, line }: { sale: number; line: number }, pieces: number) {
  return sendReturn(shop, sale, back({ [line]: pieces }, 5000 * pieces));
}

/** Sends pieces of the first product from one warehouse to another. */
function send(shop: SuppliedShop, quantity: number, [from, to]: readonly [number, number]) {
  const products = [{ product_id: shop.goods[0], quantity }];
  return make(TRANSFERS, shop.token, { from_stock_id: from, to_stock_id: to, products });
}

async function move(shop: SuppliedShop, quantity: number, places: readonly [number, number]) {
  expect((await end(shop.token, await send(shop, quantity, places), 'complete')).status).toBe(200);
}

function writeOff({ goods, lines, stockId }: SuppliedShop, quantity: number, source: object = {}) {
  const product = { product_id: goods[0], source_product_id: lines[0], quantity, reason: 'common_loss' };
  const whence = { source_type: 'stock', source_id: stockId, ...source };
  return { ...whence, name: 'Бой', products: [product] };
}

test('goods on any shelf get the new cost and remain, all others are gone (Part 5, 5A.4 (1), (3))', async () => {
  const shop = await newSuppliedShop(2);
  const { token, companyId, directorId, stockId, secondId, supplierId, receiptId, goods, lines } = shop;
  await sell(shop, 3);
  await move(shop, 2, [stockId, secondId]);
  const { status, body } = await correct(shop, [2.5]);
  const line = { id: lines[0], product_id: goods[0], quantity: 10, remaining_quantity: 7 };
  expect(body).toMatchObject({
    id: expect.any(Number),
    company_id: companyId,
    stock_id: stockId,
    purchase_id: receiptId,
    supplier_id: supplierId,
    currency: 'uzs',
    amount: 5,
    gone_amount: 1.5,
    report_currency: 'uzs',
    report_amount: 1.5,
    comment: 'Опечатка',
    creator_id: directorId,
    created_at: expect.any(String),
    products: [{ ...line, previous_cost: 2, cost: 2.5, amount: 5, gone_amount: 1.5 }],
  });
  expect(status).toBe(200);
  const receipt = await call(`GET ${PURCHASES}/${receiptId}`, { token });
  expect(receipt.body).toMatchObject({
    amount: 45,
    products: [
      { cost: 2.5, amount: 25 },
      { cost: 2, amount: 20 },
    ],
  });
  expect(await batchesOf(shop, goods[0] ?? 0)).toMatchObject([
    { cost: 2.5, quantity: 2 },
    { cost: 2.5, quantity: 5 },
  ]);
  expect(await worthInStock(shop)).toBe(7 * 250 + 2000);
  expect(await supplierOperationsOf(token, supplierId)).toMatchObject([
    { type: 'receipt', amount: 40 },
    { type: 'cost_correction', amount: 5, source_type: 'cost_correction' },
  ]);
  expect((await readBooks(companyId)).violations).toEqual([]);
});

test('a later correction starts from the cost that the line shows (Part 5, 5A.4 (2))', async () => {
  const shop = await newSuppliedShop(1);
  await correct(shop, [3]);
  const { body } = await correct(shop, [1.25]);
  expect(body).toMatchObject({ amount: -17.5, gone_amount: 0, products: [{ previous_cost: 3, cost: 1.25 }] });
  expect(await worthInStock(shop)).toBe(1250);
});

test('goods that come back later do so at the cost they left with, as a batch of their own (Part 5, 5A.4 (2))', async () => {
  const shop = await newSuppliedShop(1);
  const product = shop.goods[0] ?? 0;
  const sold = await sell(shop, 4);
  await correct(shop, [3]);
  expect((await giveBack(shop, sold, 2)).body).toMatchObject({ id: sold.sale });
  const batches = await batchesOf(shop, product);
  expect(batches.toSorted((a, b) => a.cost - b.cost)).toMatchObject([
    { cost: 2, quantity: 2 },
    { cost: 3, quantity: 6 },
  ]);
  expect(await worthInStock(shop)).toBe(4 * 100 + 18_00);
  const { body } = await correct(shop, [5]);
  expect(body).toMatchObject({ gone_amount: 8, products: [{ remaining_quantity: 6 }] });
  await sell(shop, 8);
  await giveBack(shop, sold, 2);
  expect(await batchesOf(shop, product)).toMatchObject([{ cost: 2, quantity: 2 }]);
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
});

/**
 * Holds goods of one line at the cost of its first correction, and then as many at that of its second, which
 * have had the same id since: two of each.
 */
async function holdTwoCosts() {
  const shop = await newSuppliedShop(1);
  const { token, stockId: stock_id, cashboxId: cashbox_id, goods } = shop;
  const product_id = goods[0];
  // A stock level remembers four exhausted batches: these make it forget those of the first line.
  for (const cost of [5, 6, 7, 8]) {
    await receiveGoods(token, { stock_id, products: [{ product_id, quantity: 1, cost }] });
  }
  const first = await sell(shop, 2);
  await correct(shop, [3]);
  const second = await sell(shop, 2);
  await correct(shop, [4]);
  await giveBack(shop, first, 2);
  const products = [{ product_id, quantity: 2 }];
  const hold_id = (await holdGoods(shop, { products })).number('id');
  const whole = await sell(shop, 6);
  await sell(shop, 4);
  await giveBack(shop, whole, 6);
  await giveBack(shop, second, 2);
  const json = { cashbox_id, cheque: 1, products };
  const added = await call(`PATCH /company/trade/hold/${hold_id}/add-products`, { token, json });
  expect(added.status).toBe(200);
  return { shop, hold_id };
}

test('goods of one line that a hold has at two costs are sold at both (Part 5, 5A.4 (2))', async () => {
  const { shop, hold_id } = await holdTwoCosts();
  const sale = await sellFor(shop, { hold_id, transactions: [{ payment_type: 'cash', amount: 20_000 }] });
  const { body } = await call(`GET /company/trade/sale/${sale}`, { token: shop.token });
  expect(body).toMatchObject({ purchased_amount: 2 * 2 + 2 * 3 });
  const line = (await linesOfSale(shop, sale))[0]?.id ?? 0;
  for (const pieces of [3, 1]) expect((await giveBack(shop, { sale, line }, pieces)).status).toBe(200);
  expect(await worthInStock(shop)).toBe(6 * 400 + 2 * 200 + 2 * 300);
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
});

test('goods of one line that a hold has at two costs come back at both (Part 5, 5A.4 (2))', async () => {
  const { shop, hold_id } = await holdTwoCosts();
  const { token, goods } = shop;
  const fewer = { products: [{ product_id: goods[0], quantity: 1 }] };
  const path = `PATCH /company/trade/hold/${hold_id}`;
  expect((await call(`${path}/update-products`, { token, json: fewer })).status).toBe(200);
  expect((await call(`${path}/cancel`, { token })).status).toBe(200);
  expect(await worthInStock(shop)).toBe(6 * 400 + 2 * 200 + 2 * 300);
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
});

test('the latest cost of the product follows, sold out or not (Part 5, 5A.4 (2))', async () => {
  const shop = await newSuppliedShop(1);
  const product = shop.goods[0] ?? 0;
  const latest = async () => (await lastCosts(familyTenant(shop.companyId), [product])).get(product)?.cost;
  const sold = await sell(shop, 10);
  await correct(shop, [40]);
  expect(await latest()).toBe(4000);
  await giveBack(shop, sold, 1);
  expect(await latest()).toBe(4000);
});

test('held goods and goods on their way are 400 naming the document (Part 5, 5A.4 (1))', async () => {
  const shop = await newSuppliedShop(1);
  const { token, stockId, secondId, goods } = shop;
  const held = await holdGoods(shop, { products: [{ product_id: goods[0], quantity: 1 }] });
  const apart = await correct(shop, [3]);
  expect(apart).toMatchObject({ status: 400, body: { code: 'purchase.goods_apart' } });
  expect(apart.body).toMatchObject({ params: { document: held.number('id') } });
  expect((await call(`PATCH /company/trade/hold/${held.number('id')}/cancel`, { token })).status).toBe(200);
  const sent = await send(shop, 2, [stockId, secondId]);
  expect(await correct(shop, [3])).toMatchObject({ status: 400, body: { params: { document: sent } } });
  await end(token, sent, 'complete');
  expect((await correct(shop, [3])).body).toMatchObject({ gone_amount: 0 });
});

test('a draft, a canceled receipt, unknown lines and equal costs are refused (Part 5, 5A.4 (1))', async () => {
  const shop = await newSuppliedShop(2);
  const { token, stockId, goods, lines, receiptId } = shop;
  const request = `PATCH ${PURCHASES}/${receiptId}/correct-cost`;
  const comment = 'Опечатка';
  expect(await errorsOf(request, token, {})).toEqual({ products: REQUIRED, comment: REQUIRED });
  const unknown = {
    products: [
      { id: 999_999, cost: 1 },
      { id: lines[0], cost: 3 },
    ],
    comment,
  };
  expect(await errorsOf(request, token, unknown)).toEqual({ 'products.0.id': NOT_FOUND });
  const twice = {
    products: [
      { id: lines[0], cost: 1 },
      { id: lines[0], cost: 3 },
    ],
    comment,
  };
  expect(await errorsOf(request, token, twice)).toHaveProperty(['products.1.id']);
  const equal = { products: [{ id: lines[0], cost: 2 }], comment };
  expect(await errorsOf(request, token, equal)).toHaveProperty('products');
  const draftJson = {
    stock_id: stockId,
    currency: 'uzs',
    products: [{ product_id: goods[0], quantity: 1, cost: 1 }],
  };
  const draft = await make(PURCHASES, token, draftJson);
  expect(await correct({ ...shop, receiptId: draft }, [3])).toMatchObject(
    errorWith('purchase.not_completed'),
  );
  await call(`PATCH ${PURCHASES}/${receiptId}/cancel`, { token });
  expect(await correct(shop, [3])).toMatchObject(errorWith('purchase.canceled'));
  const { director: stranger } = await newFamily();
  const json = { products: [{ id: lines[0], cost: 3 }], comment };
  expect((await call(request, { token: stranger, json })).status).toBe(404);
});

test('a receipt of which goods were given back is not corrected (Part 5, 5A.4 (5))', async () => {
  const shop = await newSuppliedShop(1);
  const { token, receiptId } = shop;
  const source = { source_type: 'purchase', source_id: receiptId };
  const id = await writeOffAtOnce(token, writeOff(shop, 1, source));
  expect(await correct(shop, [3])).toMatchObject(errorWith('purchase.given_back'));
  expect((await patch(token, id, 'cancel')).status).toBe(200);
  expect((await correct(shop, [3])).status).toBe(200);
  await writeOffAtOnce(token, writeOff(shop, 2, source));
  const operations = await supplierOperationsOf(token, shop.supplierId);
  expect(operations.at(-1)).toMatchObject({ type: 'writeoff', amount: -6 });
});

test('canceling the receipt reverses its corrections, unless goods were gone then: 400 (Part 5, 5A.4 (5))', async () => {
  const shop = await newSuppliedShop(1);
  const { token, companyId, supplierId, receiptId } = shop;
  await correct(shop, [3]);
  await correct(shop, [4]);
  expect((await call(`PATCH ${PURCHASES}/${receiptId}/cancel`, { token })).status).toBe(200);
  const operations = await supplierOperationsOf(token, supplierId);
  expect(operations.map(({ amount }) => amount)).toEqual([20, 10, 10, -20, -10, -10]);
  expect((await readBooks(companyId)).violations).toEqual([]);
  const other = await newSuppliedShop(1);
  const sold = await sell(other, 1);
  await correct(other, [3]);
  await giveBack(other, sold, 1);
  const canceled = await call(`PATCH ${PURCHASES}/${other.receiptId}/cancel`, { token: other.token });
  expect(canceled).toMatchObject(errorWith('purchase.corrected'));
});

test('a receipt is not canceled once rounding alone was counted as gone, or the reports kept it (Part 5, 5A.4 (5))', async () => {
  const shop = await newSuppliedShop(1);
  const { token, companyId, stockId, secondId, receiptId } = shop;
  await correct(shop, [0.01]);
  await move(shop, 9.5, [stockId, secondId]);
  const { body } = await correct(shop, [0.02]);
  // 9.5 and 0.5 pieces are worth 0.10 and 0.01 at 0.01, and 0.19 and 0.01 at 0.02.
  expect(body).toMatchObject({ amount: 0.1, gone_amount: 0.01, products: [{ remaining_quantity: 10 }] });
  await move(shop, 9.5, [secondId, stockId]);
  const canceled = await call(`PATCH ${PURCHASES}/${receiptId}/cancel`, { token });
  expect(canceled).toMatchObject(errorWith('purchase.corrected'));
  expect((await readBooks(companyId)).violations).toEqual([]);
});

test('the reports count a correction as cost on its day, and no desk has it (Part 5, 5A.4 (4))', async () => {
  const shop = await newSuppliedShop(1);
  const { token, companyId, cashboxId, goods } = shop;
  await sell(shop, 4);
  await correct(shop, [3]);
  await correct(shop, [2.75]);
  const period = lastDays(2);
  const figures = { cost: 8 + 4 - 1, cost_corrections: 3 };
  const days = await readReport(token, `sales?group=day&${period}`);
  expect(days.data.at(-1)).toMatchObject(figures);
  expect(days.totals).toMatchObject([figures]);
  for (const group of ['cashbox', 'creator']) {
    const { data } = await readReport(token, `sales?group=${group}&${period}`);
    expect(data).toContainEqual(
      expect.objectContaining({ key: null, label: null, cost: 3, cost_corrections: 3 }),
    );
  }
  const ofCompany = await readReport(token, `sales?group=company&${period}`);
  expect(ofCompany.data).toMatchObject([{ key: companyId, ...figures }]);
  const atDesk = `filter[cashbox_id][]=${cashboxId}`;
  const ofDesk = await readReport(token, `sales?group=day&${period}&${atDesk}`);
  expect(ofDesk.totals).toMatchObject([{ cost: 8, cost_corrections: 0 }]);
  const products = await readReport(token, `products?${period}`);
  expect(products.data).toMatchObject([{ key: goods[0], quantity: 4, ...figures }]);
  const atDeskProducts = await readReport(token, `products?${period}&${atDesk}`);
  expect(atDeskProducts.data).toMatchObject([{ cost: 8, cost_corrections: 0 }]);
  const stock = await call('GET /company/report/stock', { token });
  expect(stock.body).toMatchObject({ totals: [{ costs: { uzs: 16.5 } }] });
});

test('a foreign receipt’s report amount is at today’s rates, rounded once per line (Part 5, 5A.4 (3))', async () => {
  const shop = await newSuppliedShop(1, { currency: 'usd' });
  await setRate(shop, 'usd', 12_000);
  await sell(shop, 1);
  const { body } = await correct(shop, [2.01]);
  expect(body).toMatchObject({ currency: 'usd', amount: 0.1, gone_amount: 0.01, report_amount: 120 });
});

test('corrections are listed and shown to who reaches their warehouse, and in a workbook', async () => {
  const shop = await newSuppliedShop(2);
  const { token, receiptId, stockId, secondId, supplierId } = shop;
  const id = (await correct(shop, [3, 4])).number('id');
  expect(await idsOf(CORRECTIONS, token, `filter[purchase_id]=${receiptId}`)).toEqual([id]);
  expect(await idsOf(CORRECTIONS, token, 'filter[supplier_id]=99')).toEqual([]);
  const shown = await call(`GET ${CORRECTIONS}/${id}?with[]=supplier&with[]=creator.profile`, { token });
  expect(shown.body).toMatchObject({ supplier: { id: supplierId }, products: [{ cost: 3 }, { cost: 4 }] });
  const rights = ['company.trade.cost-correction.index', 'company.trade.cost-correction.show'];
  const here = await newEmployee(shop, rights, { stock_ids: [stockId] });
  const there = await newEmployee(shop, rights, { stock_ids: [secondId] });
  expect(await idsOf(CORRECTIONS, here)).toEqual([id]);
  expect(await idsOf(CORRECTIONS, there)).toEqual([]);
  expect((await call(`GET ${CORRECTIONS}/${id}`, { token: there })).status).toBe(404);
  const { rows } = await downloadSheet(`${CORRECTIONS}?format=excel`, token);
  expect(rows).toHaveLength(2);
});

test('corrections at once, and one repeated by its key, are each made once (Part 5, 5.0 (1))', async () => {
  const shop = await newSuppliedShop(1);
  const headers = { 'Idempotency-Key': 'correct' };
  const [first, second] = [await correct(shop, [3], headers), await correct(shop, [3], headers)];
  expect(second.body).toEqual(first.body);
  const replies = await Promise.all([correct(shop, [4]), correct(shop, [5]), sell(shop, 1)]);
  expect(replies[0].status).toBe(200);
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
  expect(await idsOf(CORRECTIONS, shop.token)).toHaveLength(3);
});

type Step = {
  readonly kind: 'sell' | 'return' | 'lose' | 'move' | 'back' | 'hold' | 'release' | 'correct';
  readonly size: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('sell', 'return', 'lose', 'move', 'back', 'hold', 'release', 'correct'),
  size: fc.integer({ min: 1, max: 4 }),
});

interface Story {
  readonly shop: SuppliedShop;
  readonly sales: { readonly sale: number; readonly line: number }[];
  readonly holds: number[];
  gone: number;
}

/** Steps of a story; one that is refused changes nothing. */
const STEPS: Readonly<Record<Step['kind'], (story: Story, size: number) => Promise<unknown>>> = {
  sell: async ({ shop, sales }, size) => sales.push(await sell(shop, size)),
  return: async ({ shop, sales: [first] }, size) => first && giveBack(shop, first, size),
  lose: async ({ shop }, size) => writeOffAtOnce(shop.token, writeOff(shop, size)),
  move: ({ shop }, size) => move(shop, size, [shop.stockId, shop.secondId]),
  back: ({ shop }, size) => move(shop, size, [shop.secondId, shop.stockId]),
  hold: async ({ shop, holds }, size) => {
    const held = await holdGoods(shop, { products: [{ product_id: shop.goods[0], quantity: size }] });
    holds.push(held.number('id'));
  },
  release: ({ shop, holds }) =>
    call(`PATCH /company/trade/hold/${holds.shift()}/cancel`, { token: shop.token }),
  correct: async (story, size) => {
    const gone = (await correct(story.shop, [size + 0.37])).number('gone_amount');
    story.gone += Math.round(gone * 100);
  },
};

test('in any order of sales, returns, losses, moves, holds and corrections, stock and the rest add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
      const story: Story = { shop: await newSuppliedShop(1), sales: [], holds: [], gone: 0 };
      for (const { kind, size } of steps) await STEPS[kind](story, size).catch(() => undefined);
      while (story.holds.length > 0) await STEPS.release(story, 0);
      const { shop, gone } = story;
      const [worth, amount, taken] = await Promise.all([
        worthInStock(shop),
        receiptAmountOf(shop),
        takenFrom(shop),
      ]);
      expect(worth + gone + taken).toBe(amount);
      expect((await readBooks(shop.companyId)).violations).toEqual([]);
    }),
    { numRuns: 4 },
  );
});

/** Sums the costs of sales less those of returns, and of write-offs, in 1/100. */
async function takenFrom({ token }: SuppliedShop): Promise<number> {
  const report = await readReport(token, `sales?group=day&${lastDays(2)}`);
  const writeOffs = await call('GET /company/trade/writeoff?filter[status]=completed', { token });
  const [sold] = report.totals;
  const lost = Object(writeOffs.body).data.reduce(
    (sum: number, { amounts }: { amounts: { uzs: number } }) => sum + Math.round(amounts.uzs * 100),
    0,
  );
  return Math.round((Number(sold?.['cost'] ?? 0) - Number(sold?.['cost_corrections'] ?? 0)) * 100) + lost;
}
