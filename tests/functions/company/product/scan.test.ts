import { beforeEach, expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { card } from '#tests/support/catalog.ts';
import { newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newTrackedProduct, sellTrackingCodes } from '#tests/support/tracking-codes.ts';

/* Part 5, 5A.12, 2 and 3. */

const SETTINGS = '/company/company/settings';

const WEIGHT = { prefix: '21', kind: 'weight', code_digits: 5, value_digits: 5, decimals: 3 };
const PRICE = { prefix: '22', kind: 'price', code_digits: 6, value_digits: 4, decimals: 0 };
const COUNT = { prefix: '23', kind: 'count', code_digits: 5, value_digits: 5, decimals: 0 };

let shop: Shop;
let token: string;

beforeEach(async () => {
  shop = await newShop();
  token = shop.director;
});

const scan = (code: string, query = '') =>
  call(`GET /company/product/scan?code=${encodeURIComponent(code)}${query}`, { token });

function withCheckDigit(digits: string) {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const useScales = (scale_settings: readonly object[]) =>
  call(`PUT ${SETTINGS}`, { token, json: { scale_settings } });

test('scale_settings are none unless set, at most 10, of different prefixes and ten digits: 422 on each wrong field (Part 5, 5A.12 (2))', async () => {
  const shown = async () => (await call(`GET ${SETTINGS}`, { token })).body;
  expect(await shown()).toMatchObject({ scale_settings: [] });
  expect((await useScales([WEIGHT, PRICE])).body).toMatchObject({ scale_settings: [WEIGHT, PRICE] });
  const wrong = [
    { ...WEIGHT, prefix: '2' },
    { ...WEIGHT, kind: 'size' },
    { ...WEIGHT, value_digits: 6 },
    { ...WEIGHT, decimals: 6 },
    { ...WEIGHT, prefix: '24' },
    { ...WEIGHT, prefix: '24' },
  ];
  const errors = await errorsOf(`PUT ${SETTINGS}`, token, { scale_settings: wrong });
  expect(Object.keys(errors).sort()).toEqual([
    'scale_settings.0.prefix',
    'scale_settings.1.kind',
    'scale_settings.2.value_digits',
    'scale_settings.3.decimals',
  ]);
  const twice = { scale_settings: [WEIGHT, WEIGHT] };
  expect(Object.keys(await errorsOf(`PUT ${SETTINGS}`, token, twice))).toEqual(['scale_settings.1.prefix']);
  await call(`PUT ${SETTINGS}`, { token, json: {} });
  expect(await shown()).toMatchObject({ scale_settings: [WEIGHT, PRICE] });
});

test("scale_settings are the main company's: a branch shows them and can't set them (Part 5, 5A.12 (2))", async () => {
  const { director, branchDirector } = await newFamilyWithBranch();
  await call(`PUT ${SETTINGS}`, { token: director, json: { scale_settings: [WEIGHT] } });
  const of = (way: string, json?: object) =>
    call(`${way} ${SETTINGS}`, { token: branchDirector, ...(json && { json }) });
  expect((await of('GET')).body).toMatchObject({ scale_settings: [WEIGHT] });
  expect(await of('PUT', { scale_settings: [] })).toMatchObject({
    status: 422,
    body: { errors: { scale_settings: [translate('ru', { key: 'company.scales_of_main' })] } },
  });
});

test('a barcode is a product with quantity 1, price and amount of a sale now, and what is free (Part 5, 5A.12 (3))', async () => {
  const id = await newGoods(shop, [{ quantity: 7, cost: 1 }], {
    barcode: '036000291452',
    sale_price: 1.5,
    sale_currency: 'usd',
  });
  const { body } = await scan('0036000291452', `&stock_id=${shop.stockId}`);
  expect(body).toEqual({
    kind: 'barcode',
    product: expect.objectContaining({ id, barcode: '036000291452' }),
    pack: null,
    quantity: 1,
    price: 18_975,
    amount: 18_975,
    currency: 'uzs',
    label_amount: null,
    free_quantity: 7,
    mark: null,
    is_mark_out: null,
  });
  expect((await scan('036000291452')).body).toMatchObject({ free_quantity: null });
});

test("a pack's barcode has its quantity (Part 5, 5A.12 (3))", async () => {
  const barcodes = [{ barcode: '600', quantity: 6, name: 'Box' }, { barcode: '601' }];
  await newGoods(shop, [{ quantity: 7, cost: 1 }], { barcodes });
  expect((await scan('600')).body).toMatchObject({
    kind: 'pack',
    pack: { barcode: '600', quantity: 6, name: 'Box' },
    quantity: 6,
    price: 5000,
    amount: 30_000,
  });
  expect((await scan('601')).body).toMatchObject({ kind: 'barcode', pack: null, quantity: 1 });
});

test('a label of scales has weight, count or price of the product whose PLU it has, zeros ignored (Part 5, 5A.12 (3))', async () => {
  await useScales([WEIGHT, PRICE, COUNT]);
  await newGoods(shop, [{ quantity: 7, cost: 1 }], { plu: '017', sale_price: 5000 });
  expect((await scan(withCheckDigit('210001701234'))).body).toMatchObject({
    kind: 'weight',
    quantity: 1.234,
    price: 5000,
    amount: 6170,
    label_amount: null,
  });
  expect((await scan(withCheckDigit('230001700003'))).body).toMatchObject({ kind: 'count', quantity: 3 });
  expect((await scan(withCheckDigit('220000179999'))).body).toMatchObject({
    kind: 'price',
    quantity: 2,
    price: 5000,
    amount: 10_000,
    label_amount: 9999,
  });
});

test('a label with a wrong check digit, another prefix, or an unknown PLU is unknown (Part 5, 5A.12 (3))', async () => {
  await useScales([WEIGHT]);
  await newGoods(shop, [], { plu: '17' });
  const right = withCheckDigit('210001701234');
  const wrong = `${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}`;
  for (const code of [wrong, withCheckDigit('200001701234'), withCheckDigit('210001801234'), '5'])
    expect(await scan(code)).toMatchObject({ status: 404, body: { code: 'scan.unknown' } });
});

test('a tracking code finds the product by its number, and tells whether it is sold (Part 5, 5A.12 (3))', async () => {
  const product = await newTrackedProduct(shop);
  const json = card(shop.catalog, { barcode: '4780000000017', sale_price: 1, is_marked: true });
  await call(`PUT /company/product/product/${product}`, { token, json });
  const mark = '0104780000000017215abc';
  expect((await scan(mark)).body).toMatchObject({ kind: 'mark', mark, is_mark_out: false, quantity: 1 });
  expect((await sellTrackingCodes(shop, product, [mark])).status).toBe(200);
  expect((await scan(`${mark}\u001d93x`)).body).toMatchObject({ kind: 'mark', is_mark_out: true });
});

test('a PLU comes last, and a barcode before all (Part 5, 5A.12 (3))', async () => {
  const first = await newGoods(shop, [], { plu: '5' });
  expect((await scan('5')).body).toMatchObject({ kind: 'plu', product: { id: first } });
  const second = await newGoods(shop, [], { barcode: '5' });
  expect((await scan('5')).body).toMatchObject({ kind: 'barcode', product: { id: second } });
  await call(`DELETE /company/product/product/${second}`, { token });
  expect((await scan('5')).body).toMatchObject({ kind: 'plu', product: { id: first } });
});

test('an unknown warehouse or client, and a blank code, are 422 (Part 5, 5A.12 (3))', async () => {
  await newGoods(shop, [], { plu: '5' });
  expect((await scan('5', '&stock_id=99&client_id=99')).body).toMatchObject({
    errors: { stock_id: [NOT_FOUND], client_id: [NOT_FOUND] },
  });
  expect((await scan(' ')).status).toBe(422);
});

test('what a sale would refuse has no price (Part 5, 5A.12 (3))', async () => {
  await newGoods(shop, [], { barcode: '9', is_bundle_only: true });
  expect((await scan('9')).body).toMatchObject({ quantity: 1, price: null, amount: null });
});
