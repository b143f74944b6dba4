import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { addProduct, card } from '#tests/support/catalog.ts';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, TAKEN } from '#tests/support/records.ts';
import { newShop, type Shop } from '#tests/support/shop.ts';

/*
 * How a code may be spelled, by every way in. Contract 9.125 and 9 (127).
 */

const PRODUCTS = '/company/product/product';
const REPRICINGS = '/company/trade/recalculation-batch';

const CODE = '036000291452';

const WIDE = '０１２３４５６７８９';

/** Spellings of a code by scanners, workbooks and users. */
const SPELL: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `\u200b${code}`,
  (code) => `\ufeff${code}\r\n`,
  (code) => `${code.slice(0, 4)}\u00ad${code.slice(4, 8)}\u2060${code.slice(8)}`,
  (code) => `${code.slice(0, 3)} ${code.slice(3, 6)}\u00a0${code.slice(6)}\u2009`,
  (code) => code.replace(/\d/g, (digit) => WIDE[Number(digit)] ?? ''),
  (code) => `\u3164${code}\u2800`,
];

const SPELLINGS = SPELL.map((spell) => spell(CODE));

/** The same goods number with more zeros. */
const WITH_ZEROS = ['0036000291452', '00036000291452', ' 0 036000 291452\u200b'];

const HIDDEN = ['\u0000', '\u202e', '\u200e', '\u0007'];

const POWERS = ['4,79E+12', '4.79E+12', '４.79e+12', '4E12', '-1.5 E\u200b-3'];

const IN_POWERS = translate('ru', { key: 'validation.power_of_ten' });
const HIDDEN_SIGNS = translate('ru', { key: 'validation.hidden_signs' });

let shop: Shop;
let token: string;
let id: number;

beforeEach(async () => {
  shop = await newShop();
  token = shop.director;
  id = (await addProduct(token, shop.catalog, { barcode: CODE, plu: 'A-42' })).number('id');
});

const Errors = z.object({ errors: z.record(z.string(), z.array(z.string())) });

async function importRow(barcode: string, given: Record<string, string> = {}, form = {}) {
  const { plu = null, mxik = null, package_code = null } = given;
  const row = ['Tea', 'Напитки', 'Nestlé', 'дона', barcode, plu, 7000, 'uzs', null, null, mxik, package_code];
  const file = await workbookOf([[], row]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, ...form }) });
}

async function syncRow(given: object) {
  const { body } = await call(`PUT ${PRODUCTS}/sync`, { token, json: { products: [given] } });
  const Row = z.looseObject({ status: z.int(), outcome: z.string().nullable(), errors: z.unknown() });
  return z.object({ data: z.tuple([Row]) }).parse(body).data[0];
}

const shown = async (of = id) => (await call(`GET ${PRODUCTS}/${of}`, { token })).body;

test.each([...SPELLINGS, ...WITH_ZEROS])(
  'a barcode spelled %j is the one that there is, by every way in (Contract 9.125, 9 (127))',
  async (barcode) => {
    const other = (await addProduct(token, shop.catalog)).number('id');
    const sent = card(shop.catalog, { barcode });
    expect(await errorsOf(`POST ${PRODUCTS}`, token, sent)).toEqual({ barcode: TAKEN });
    expect(await errorsOf(`PUT ${PRODUCTS}/${other}`, token, sent)).toEqual({ barcode: TAKEN });
    const imported = await importRow(barcode);
    expect(Errors.parse(imported.body).errors).toEqual({ 'rows.2.barcode': [TAKEN] });

    const sought = encodeURIComponent(barcode);
    expect(await idsOf(PRODUCTS, token, `filter[barcode]=${sought}`)).toEqual([id]);
    expect(await idsOf(PRODUCTS, token, `filter[barcode][]=none&filter[barcode][]=${sought}`)).toEqual([id]);
    const { body } = await call(`GET /common/public/records/product?filter[value]=${sought}`, { token });
    expect(body).toMatchObject({ data: [{ id }] });

    const row = { barcode, sale_price: 8000, sale_currency: 'uzs' };
    const batch = { company_id: shop.companyId, products: [row] };
    const repriced = await call(`POST ${REPRICINGS}`, { token, json: batch });
    expect(repriced).toMatchObject({ status: 200, body: { products: [{ product_id: id }] } });

    expect(await importRow(barcode, {}, { mode: 'update' })).toMatchObject({ status: 200 });
    expect(await shown()).toMatchObject({ barcode: CODE, name: 'Tea', sale_price: 7000 });
    const taken = await syncRow({ ...sent, name: 'Synced', barcode, external_id: '1C-1' });
    expect(taken).toMatchObject({ outcome: 'changed', product: { id, name: 'Synced', barcode: CODE } });
    const again = await syncRow({ barcode, external_id: '1C-1' });
    expect(again).toMatchObject({ outcome: 'same', product: { id, barcode: CODE } });
    expect(await idsOf(PRODUCTS, token)).toEqual([id, other]);
  },
);

test('a barcode in any spelling is stored in one (Contract 9.125)', async () => {
  for (const [index, spell] of SPELL.entries()) {
    const codes = ['7', '8', '9'].map((digit) => `${digit}${CODE}${index}`);
    const [ofCard = '', ofSync = '', ofSheet = ''] = codes;
    const barcode = spell(ofCard);
    const made = (await addProduct(token, shop.catalog, { barcode })).number('id');
    expect(await shown(made)).toMatchObject({ barcode: ofCard });
    const edited = card(shop.catalog, { barcode: spell(`1${ofCard}`) });
    expect(await call(`PUT ${PRODUCTS}/${made}`, { token, json: edited })).toMatchObject({ status: 200 });
    expect(await shown(made)).toMatchObject({ barcode: `1${ofCard}` });

    const row = { ...card(shop.catalog), barcode: spell(ofSync), external_id: `1C-${index}` };
    expect(await syncRow(row)).toMatchObject({ product: { barcode: ofSync } });
    expect(await importRow(spell(ofSheet))).toMatchObject({ status: 200 });
    const [imported] = await idsOf(PRODUCTS, token, `filter[barcode]=${ofSheet}`);
    expect(await shown(imported)).toMatchObject({ barcode: ofSheet });
  }
});

test('barcodes of other lengths differ by their zeros (Contract 9.127)', async () => {
  const ids: number[] = [];
  for (const barcode of ['36000291452', '000036000291452', '0123', '123'])
    ids.push(await make(PRODUCTS, token, card(shop.catalog, { barcode })));
  expect(await idsOf(PRODUCTS, token, 'filter[barcode]=0123')).toEqual([ids[2]]);
  const short = await make(PRODUCTS, token, card(shop.catalog, { barcode: '00000017' }));
  for (const zeros of ['', '0000', '00000', '000000'])
    expect(await idsOf(PRODUCTS, token, `filter[barcode]=${zeros}00000017`)).toEqual([short]);
});

test('a barcode that comes twice in a body or workbook in two spellings is 422 (Contract 9.127)', async () => {
  const rows = [CODE, `0${CODE}`].map((barcode) => ({ barcode, sale_price: 8000, sale_currency: 'uzs' }));
  const json = { company_id: shop.companyId, products: rows };
  expect(Object.keys(await errorsOf(`POST ${REPRICINGS}`, token, json))).toEqual(['products.1.barcode']);
  const twice = ['777777777777', '0777777777777'].map((barcode) => [
    ...['Tea', 'Напитки', 'Nestlé', 'дона', barcode, null, 7000, 'uzs'],
  ]);
  const file = await workbookOf([[], ...twice]);
  const { body } = await call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file }) });
  expect(Object.keys(Errors.parse(body).errors)).toEqual(['rows.3.barcode']);
});

const GOOD = { barcode: '1-2', plu: 'Б-7', mxik: '12345678901234567', package_code: 'P-1' };

/** Spells a code so that it looks like another. */
const badly = (text: string) => `\ufeff${[...text].join('\u200b ')}\t`;
const BAD = {
  barcode: badly(GOOD.barcode),
  plu: badly(GOOD.plu),
  mxik: badly(GOOD.mxik),
  package_code: badly(GOOD.package_code),
};

test('PLU, MXIK and package code have one spelling, too, by every way in (Contract 9.125)', async () => {
  const made = (await addProduct(token, shop.catalog, BAD)).number('id');
  expect(await shown(made)).toMatchObject(GOOD);
  const plu = encodeURIComponent(BAD.plu);
  expect(await idsOf(PRODUCTS, token, `filter[plu]=${plu}`)).toEqual([made]);
  const taken = card(shop.catalog, { plu: BAD.plu });
  expect(await errorsOf(`POST ${PRODUCTS}`, token, taken)).toEqual({ plu: TAKEN });
  await call(`PUT ${PRODUCTS}/${made}`, { token, json: card(shop.catalog, BAD) });
  expect(await shown(made)).toMatchObject(GOOD);

  await call(`PUT ${PRODUCTS}/${made}`, { token, json: card(shop.catalog, { plu: null }) });
  expect(await syncRow({ ...card(shop.catalog), ...BAD, external_id: '1C-2' })).toMatchObject({
    product: GOOD,
  });
  const other = { ...BAD, plu: badly('Б-79'), barcode: badly('1-29') };
  expect(await importRow(other.barcode, other)).toMatchObject({ status: 200 });
  const [imported = 0] = await idsOf(PRODUCTS, token, 'filter[barcode]=1-29');
  expect(await shown(imported)).toMatchObject({ ...GOOD, barcode: '1-29', plu: 'Б-79' });
  await call(`PUT ${PRODUCTS}/${imported}`, { token, json: card(shop.catalog, { barcode: '1-29' }) });
  expect(await importRow(other.barcode, other, { mode: 'update' })).toMatchObject({ status: 200 });
  expect(await shown(imported)).toMatchObject({ ...GOOD, barcode: '1-29', plu: 'Б-79' });
});

test('a code with a hidden sign, or with powers of ten, is 422 by every way in (Contract 9.125)', async () => {
  const expected = (told: string) => ({ barcode: told, plu: told, package_code: told });
  const before = await shown();
  for (const [sign, told] of [
    ...HIDDEN.map((hidden) => [`1${hidden}2`, HIDDEN_SIGNS] as const),
    ...POWERS.map((power) => [power, IN_POWERS] as const),
  ]) {
    const given = { barcode: sign, plu: sign, package_code: sign };
    const json = card(shop.catalog, given);
    expect([sign, await errorsOf(`POST ${PRODUCTS}`, token, json)]).toEqual([sign, expected(told)]);
    expect([sign, await errorsOf(`PUT ${PRODUCTS}/${id}`, token, json)]).toEqual([sign, expected(told)]);
    const texts = Object.fromEntries(Object.entries(expected(told)).map(([field, text]) => [field, [text]]));
    const synced = await syncRow({ ...json, external_id: 'x' });
    expect([sign, synced.errors]).toEqual([sign, texts]);
    const mxik = await errorsOf(`POST ${PRODUCTS}`, token, card(shop.catalog, { mxik: sign }));
    expect([sign, Object.keys(mxik)]).toEqual([sign, ['mxik']]);
    const row = { barcode: sign, sale_price: 8000, sale_currency: 'uzs' };
    const batch = { company_id: shop.companyId, products: [row] };
    expect([sign, await errorsOf(`POST ${REPRICINGS}`, token, batch)]).toEqual([
      sign,
      { 'products.0.barcode': told },
    ]);
  }
  for (const sign of POWERS) {
    for (const form of [{}, { mode: 'update' }]) {
      const { body } = await importRow(sign, { plu: sign, package_code: sign }, form);
      const fields = ['barcode', 'plu', 'package_code'].map((column) => [`rows.2.${column}`, [IN_POWERS]]);
      expect([sign, Errors.parse(body).errors]).toEqual([sign, Object.fromEntries(fields)]);
    }
  }
  expect(await shown()).toEqual(before);
  expect(await idsOf(PRODUCTS, token)).toEqual([id]);
});

test('a filter leaves out of a code what no code has (Contract 9.125)', async () => {
  for (const hidden of HIDDEN) {
    const sign = encodeURIComponent(hidden);
    expect(await idsOf(PRODUCTS, token, `filter[barcode]=036000${sign}291452`)).toEqual([id]);
    expect(await idsOf(PRODUCTS, token, `filter[plu]=A${sign}-42`)).toEqual([id]);
  }
  for (const nothing of ['%E2%80%8B', '4,79E+12'])
    expect(await idsOf(PRODUCTS, token, `filter[barcode]=${nothing}`)).toEqual([]);
});

test('an external id keeps its letters exactly (Contract 9.125)', async () => {
  const ids: number[] = [];
  const spellings = ['4,79E+12', '4,79e+12', 'A 1', 'A1', 'Ａ1', 'A\u200b1'];
  for (const external_id of spellings)
    ids.push(await make(PRODUCTS, token, card(shop.catalog, { external_id })));
  const rows = ['4,79E+13', 'B\u200b1'].map((external_id, index) => [
    ...['Tea', 'Напитки', 'Nestlé', 'дона', `E-${index}`, null, 7000, 'uzs', null, external_id],
  ]);
  const file = await workbookOf([[], ...rows]);
  await call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file }) });
  const [first, second] = await idsOf(PRODUCTS, token, 'filter[barcode][]=E-0&filter[barcode][]=E-1');
  expect(await shown(first)).toMatchObject({ external_id: '4,79E+13' });
  expect(await shown(second)).toMatchObject({ external_id: 'B\u200b1' });
  for (const [index, external_id] of spellings.entries()) {
    const sought = encodeURIComponent(external_id);
    expect(await idsOf(PRODUCTS, token, `filter[external_id]=${sought}`)).toEqual([ids[index]]);
  }
});

test('a taxpayer’s number is found as people spell it', async () => {
  const admin = await newSuperAdministrator();
  const company = { name: 'Savdo', inn: String(Math.random()).slice(2, 11).padEnd(9, '7') };
  const made = await make('/admin/company/company', admin, company);
  const spelled = encodeURIComponent(`\u200b${company.inn.slice(0, 3)} ${company.inn.slice(3)}\u202c`);
  expect(await idsOf('/admin/company/company', admin, `filter[inn]=${spelled}`)).toContain(made);
});
