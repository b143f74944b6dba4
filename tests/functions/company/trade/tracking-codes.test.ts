import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import {
  newTrackedProduct,
  outstandingCodesOf,
  SELL,
  saleOfTrackingCodes,
  sellTrackingCodes,
} from '#tests/support/tracking-codes.ts';
import { holdGoods } from '#tests/support/trade.ts';

const count = (pieces: number) => translate('ru', { key: 'sale.marks_count', with: { count: pieces } });
const OUT = translate('ru', { key: 'sale.mark_out' });
const WHOLE = translate('ru', { key: 'sale.marked_whole' });
const NOT_MARKED = translate('ru', { key: 'sale.not_marked' });
const TWICE = translate('ru', { key: 'validation.duplicate' });

async function newScene() {
  const shop = await newShop();
  return { shop, id: await newTrackedProduct(shop) };
}

const Line = z.looseObject({ id: z.int(), marks: z.array(z.string()), returned_marks: z.array(z.string()) });

async function saleOf({ director: token }: Shop, sale: number) {
  const { body } = await call(`GET /company/trade/sale/${sale}`, { token });
  return z.looseObject({ products: z.array(Line) }).parse(body);
}

/** Sells tracking codes, and returns the ids of the sale and its line. */
async function sold(shop: Shop, product: number, marks: readonly string[]) {
  const sale = (await sellTrackingCodes(shop, product, marks)).number('id');
  const [line] = (await saleOf(shop, sale)).products;
  return { sale, line: line?.id ?? 0 };
}

/** Returns pieces of a line with tracking codes. */
function giveBack(
  shop: Shop,
  { sale, line }: { sale: number; line: number },
  pieces: number,
  marks?: string[],
) {
  const named = { id: line, reason_type: 'defective', returned_quantity: pieces, ...(marks && { marks }) };
  const transactions = [{ payment_type: 'cash', amount: pieces }];
  return sendReturn(shop, sale, { products: [named], transactions });
}

test('a line of a marked product has exactly as many marks as pieces, whole ones, and of others none (Part 4, 4.6 (4))', async () => {
  const { shop, id } = await newScene();
  const water = await newGoods(shop, [{ quantity: 10, cost: 1 }], { sale_price: 1 });
  const line = (sold_quantity: number, ...marks: string[]) => {
    const products = [{ product_id: id, sold_quantity, marks }];
    return saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount: sold_quantity }] });
  };
  const told = (json: object) => errorsOf(SELL, shop.director, json);
  expect(await told(line(2, 'A'))).toEqual({ 'products.0.marks': count(2) });
  expect(await told(line(1))).toEqual({ 'products.0.marks': count(1) });
  expect(await told(line(1, 'A', 'B'))).toEqual({ 'products.0.marks': count(1) });
  expect(await told(line(1.5, 'A'))).toEqual({ 'products.0.sold_quantity': WHOLE });
  expect(await told(saleOfTrackingCodes(shop, water, ['A']))).toEqual({ 'products.0.marks': NOT_MARKED });
  expect(await told(line(2, 'A', 'A\u001d'))).toEqual({ 'products.0.marks.1': TWICE });
  expect(await outstandingCodesOf(shop)).toEqual([]);
  const { body } = await call(SELL, { token: shop.director, json: line(2, 'A', 'B') });
  const { products } = await saleOf(shop, z.object({ id: z.int() }).parse(body).id);
  expect(products).toMatchObject([{ marks: ['A', 'B'], returned_marks: [] }]);
});

test('a mark has at most 255 characters, U+001D among them, and a sale at most 50 marks', async () => {
  const { shop, id } = await newScene();
  const long = `0104\u001d${'x'.repeat(250)}`;
  expect((await sellTrackingCodes(shop, id, [long])).status).toBe(200);
  const wrong = [`${long}x`, ' ', '\u001d', 'a\u0007'];
  expect(Object.keys(await errorsOf(SELL, shop.director, saleOfTrackingCodes(shop, id, wrong)))).toEqual(
    wrong.map((_, index) => `products.0.marks.${index}`),
  );
  const fifty = Array.from({ length: 50 }, (_, index) => `M${index}`);
  const other = await newTrackedProduct(shop);
  const products = [id, other].map((product_id, index) => {
    return { product_id, sold_quantity: 26, marks: fifty.slice(0, 26).map((mark) => `${mark}-${index}`) };
  });
  const json = saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount: 52 }] });
  expect(await errorsOf(SELL, shop.director, json)).toEqual({
    'products.1.marks': translate('ru', { key: 'validation.too_many_items', with: { max: 50 } }),
  });
  expect((await sellTrackingCodes(shop, id, fifty)).status).toBe(200);
  expect(await outstandingCodesOf(shop)).toHaveLength(51);
});

test('a mark that is out is 422 on its path, however its groups are separated, and beside all that is wrong', async () => {
  const { shop, id } = await newScene();
  await sellTrackingCodes(shop, id, ['01\u001dA']);
  expect(await errorsOf(SELL, shop.director, saleOfTrackingCodes(shop, id, ['B', '01A']))).toEqual({
    'products.0.marks.1': OUT,
  });
  const json = saleOfTrackingCodes(shop, id, ['01A', 'B'], { transactions: [] });
  expect(Object.keys(await errorsOf(SELL, shop.director, json)).sort()).toEqual([
    'products.0.marks.0',
    'transactions',
  ]);
  expect(await outstandingCodesOf(shop)).toEqual(['01A']);
  expect((await sellTrackingCodes(shop, id, ['01a'])).status).toBe(200);
});

test('a mark is of printable ASCII and U+001D without a blank inside: all else is 422 on its path (Contract 9.126, 9.145)', async () => {
  const { shop, id } = await newScene();
  const wrong = [
    '\u200bA',
    'A\u200b',
    'A\ufeff',
    '\u00a0A',
    'A\u00ad',
    '１２',
    'Ж',
    'A B',
    'A\tB',
    'A\u001e',
    'A\u007f',
    '😀',
  ];
  const paths = wrong.map((_, index) => `products.0.marks.${index}`);
  const signs = translate('ru', { key: 'sale.mark_signs' });
  expect(await errorsOf(SELL, shop.director, saleOfTrackingCodes(shop, id, wrong))).toEqual(
    Object.fromEntries(paths.map((path) => [path, signs])),
  );
  const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 0x21 + index));
  const marks = [printable, ' M\r\n', '\tN'];
  const sale = await sellTrackingCodes(shop, id, marks);
  expect(sale.status).toBe(200);
  const { products } = await saleOf(shop, sale.number('id'));
  expect(products).toMatchObject([{ marks: [printable, 'M', 'N'] }]);
  expect(await errorsOf(SELL, shop.director, saleOfTrackingCodes(shop, id, ['M']))).toEqual({
    'products.0.marks.0': OUT,
  });
});

const GOODS = '04600000000017';
const GS = '\u001d';

/** Spellings of one piece's tracking code. */
const SPELLINGS = [
  `01${GOODS}21Ab<1${GS}91EE06${GS}92key`,
  `01${GOODS}21Ab<1<GS>91EE06<GS>92key`,
  `]d201${GOODS}21Ab<1${GS}91other`,
  `]C101${GOODS}21Ab<1`,
  `]Q301${GOODS}21Ab<1${GS}`,
  `${GS}01${GOODS}21Ab<1`,
  `<GS>01${GOODS}21Ab<1`,
  `]d2${GS}01${GOODS}21Ab<1`,
  `(01)${GOODS}(21)Ab<1(91)EE06(92)key`,
  `(01)${GOODS}(21)Ab<1`,
  `  01${GOODS}21Ab<1\n`,
];

/** Tracking codes of other pieces that look alike. */
const OTHERS = [
  `01${GOODS}21ab<1`,
  `01${GOODS}21Ab<12`,
  `01${GOODS}21Ab<`,
  '010460000000002421Ab<1',
  `21Ab<101${GOODS}`,
  `01${GOODS}`,
  `01${GOODS}21`,
  `01${GOODS}21${'x'.repeat(20)}`,
  `01${GOODS}21${'x'.repeat(21)}`,
  `01${GOODS}21${'x'.repeat(22)}`,
  ']d1A',
  'A',
];

test('two marks are one if GTIN and serial are, where they have them, else if all but U+001D is (Part 4, 4.6 (4))', async () => {
  const { shop, id } = await newScene();
  const [first = ''] = SPELLINGS;
  const line = await sold(shop, id, [first, ...OTHERS]);
  for (const spelling of SPELLINGS) {
    const json = saleOfTrackingCodes(shop, id, [spelling]);
    expect({ spelling, told: await errorsOf(SELL, shop.director, json) }).toEqual({
      spelling,
      told: { 'products.0.marks.0': OUT },
    });
  }
  const twice = saleOfTrackingCodes(shop, id, SPELLINGS.slice(1));
  expect(Object.keys(await errorsOf(SELL, shop.director, twice))).toHaveLength(SPELLINGS.length - 1);
  expect(
    await errorsOf(SELL, shop.director, saleOfTrackingCodes(shop, id, ['A\u001d', ']d2A', '<GS>B'])),
  ).toEqual({
    'products.0.marks.0': OUT,
    'products.0.marks.1': TWICE,
  });
  expect((await giveBack(shop, line, 1, [SPELLINGS.at(-3) ?? ''])).status).toBe(200);
  expect((await sellTrackingCodes(shop, id, [SPELLINGS[3] ?? ''])).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test('two tills that sell one mark at once: one does', async () => {
  const { shop, id } = await newScene();
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([1, 2, 3].map(() => sellTrackingCodes(shop, id, [`M${round}`])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  }
  expect(await outstandingCodesOf(shop)).toHaveLength(5);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a bundle names its marks by product', async () => {
  const { shop, id } = await newScene();
  const water = await newGoods(shop, [{ quantity: 10, cost: 1 }], { sale_price: 1 });
  const bundle_id = await make('/company/product/bundle', shop.director, {
    name: 'Set',
    barcode: 'set-1',
    price: 3,
    products: [
      { product_id: id, quantity: 2 },
      { product_id: water, quantity: 1 },
    ],
  });
  const set = (quantity: number, ...marks: object[]) =>
    saleBody(shop, {
      bundles: [{ bundle_id, quantity, marks }],
      transactions: [{ payment_type: 'cash', amount: quantity * 3 }],
    });
  expect(await errorsOf(SELL, shop.director, set(1))).toEqual({ 'bundles.0.marks': count(2) });
  const wrong = [
    { product_id: id, marks: ['A'] },
    { product_id: water, marks: ['B'] },
    { product_id: 777, marks: [] },
  ];
  expect(await errorsOf(SELL, shop.director, set(1, ...wrong))).toEqual({
    'bundles.0.marks.0.marks': count(2),
    'bundles.0.marks.1.marks': NOT_MARKED,
    'bundles.0.marks.2.product_id': NOT_FOUND,
  });
  const right = set(2, { product_id: id, marks: ['A', 'B', 'C', 'D'] });
  expect((await call(SELL, { token: shop.director, json: right })).status).toBe(200);
  expect(await outstandingCodesOf(shop)).toEqual(['A', 'B', 'C', 'D']);
  expect(await errorsOf(SELL, shop.director, right)).toEqual(
    Object.fromEntries([0, 1, 2, 3].map((index) => [`bundles.0.marks.0.marks.${index}`, OUT])),
  );
});

test('a return names the marks that come back, all of them if the line comes back whole, and they may be sold again', async () => {
  const { shop, id } = await newScene();
  const line = await sold(shop, id, ['A\u001d1', 'B', 'C']);
  const wrong = async (pieces: number, marks?: string[]) => {
    const { body } = await giveBack(shop, line, pieces, marks);
    return z.object({ codes: z.record(z.string(), z.array(z.string())) }).parse(body).codes;
  };
  expect(await wrong(1)).toEqual({ 'products.0.marks': ['sale.marks_count'] });
  expect(await wrong(3, ['B'])).toEqual({ 'products.0.marks': ['sale.marks_count'] });
  expect(await wrong(0.5, ['B'])).toEqual({ 'products.0.returned_quantity': ['sale.marked_whole'] });
  expect(await wrong(2, ['B', 'B'])).toEqual({ 'products.0.marks.1': ['validation.duplicate'] });
  expect(await wrong(2, ['B', 'X'])).toEqual({ 'products.0.marks.1': ['validation.not_found'] });
  expect((await giveBack(shop, line, 1, ['A1'])).status).toBe(200);
  expect((await saleOf(shop, line.sale)).products).toMatchObject([{ returned_marks: ['A\u001d1'] }]);
  expect(await wrong(1, ['A1'])).toEqual({ 'products.0.marks.0': ['validation.not_found'] });
  expect(await outstandingCodesOf(shop)).toEqual(['B', 'C']);
  expect((await sellTrackingCodes(shop, id, ['A1'])).status).toBe(200);
  expect((await giveBack(shop, line, 2)).status).toBe(200);
  expect(await outstandingCodesOf(shop)).toEqual(['A1']);
  const whole = await sold(shop, id, ['B', 'C']);
  const all = { transactions: [{ payment_type: 'cash', amount: 2 }] };
  expect((await sendReturn(shop, whole.sale, all)).status).toBe(200);
  expect(await outstandingCodesOf(shop)).toEqual(['A1']);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a line without marks returns without, also if its product is marked by now', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 10, cost: 1 }], { sale_price: 1 });
  const bare = saleBody(shop, {
    products: [{ product_id: id, sold_quantity: 2 }],
    transactions: [{ payment_type: 'cash', amount: 2 }],
  });
  const sale = (await call(SELL, { token: shop.director, json: bare })).number('id');
  const [line] = (await saleOf(shop, sale)).products;
  const { body } = await call(`GET /company/product/product/${id}`, { token: shop.director });
  const json = { ...Object(body), is_marked: true };
  expect((await call(`PUT /company/product/product/${id}`, { token: shop.director, json })).status).toBe(200);
  const place = { sale, line: line?.id ?? 0 };
  expect((await giveBack(shop, place, 1, ['A'])).body).toMatchObject({
    errors: { 'products.0.marks': [NOT_MARKED] },
  });
  expect((await giveBack(shop, place, 1)).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, bare)).toEqual({ 'products.0.marks': count(2) });
});

test('an exchange names marks in both its lists, and what comes back with it is free in it (Part 4, 4.6 (4))', async () => {
  const { shop, id } = await newScene();
  const { sale, line } = await sold(shop, id, ['A', 'B']);
  const json = (back: string[], ...out: string[]) => ({
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    returned_products: [{ id: line, reason_type: 'not_match', returned_quantity: 1, marks: back }],
    products: [{ product_id: id, sold_quantity: out.length, marks: out }],
    transactions: out.length > 1 ? [{ payment_type: 'cash', amount: out.length - 1 }] : [],
  });
  const path = `POST /company/trade/sale/${sale}/exchange`;
  expect(await errorsOf(path, shop.director, json([], 'C'))).toEqual({
    'returned_products.0.marks': count(1),
  });
  expect(await errorsOf(path, shop.director, json(['A'], 'B'))).toEqual({ 'products.0.marks.0': OUT });
  expect((await call(path, { token: shop.director, json: json(['A'], 'A', 'C') })).status).toBe(200);
  expect(await outstandingCodesOf(shop)).toEqual(['A', 'B', 'C']);
  expect((await sellTrackingCodes(shop, id, ['A'])).status).toBe(422);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a hold of marked goods is sold by its lines, with marks', async () => {
  const { shop, id } = await newScene();
  const held = await holdGoods(shop, { products: [{ product_id: id, quantity: 2 }] });
  const hold = held.number('id');
  const whole = saleBody(shop, { hold_id: hold, transactions: [{ payment_type: 'cash', amount: 2 }] });
  expect(await errorsOf(SELL, shop.director, whole)).toEqual({ hold_id: count(2) });
  const json = saleOfTrackingCodes(shop, id, ['A', 'B'], { hold_id: hold });
  expect((await call(SELL, { token: shop.director, json })).status).toBe(200);
});

test('late sales and refused ones pass marks along', async () => {
  const { shop, id } = await newScene();
  const offline = (key: string, mark: string) =>
    offlineSaleBody(shop, id, key, {
      products: [{ product_id: id, sold_quantity: 1, price: 1, marks: [mark] }],
      transactions: [{ payment_type: 'cash', amount: 1 }],
    });
  const { sale, line } = await sold(shop, id, ['A']);
  const [, refused] = await sendOfflineSales(shop, [offline('k1', 'B'), offline('k2', 'A')]);
  expect(refused).toMatchObject({ status: 422, errors: { 'products.0.marks.0': [OUT] } });
  expect(await outstandingCodesOf(shop)).toEqual(['A', 'B']);
  await giveBack(shop, { sale, line }, 1);
  const retried = await call(`PATCH ${REFUSED}/${refused?.refused_id}/retry`, {
    token: shop.director,
    json: {},
  });
  expect(retried.body).toMatchObject({ status: 'sold' });
  expect(await outstandingCodesOf(shop)).toEqual(['A', 'B']);
});
