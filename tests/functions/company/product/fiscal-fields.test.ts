import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';

const PRODUCTS = '/company/product/product';
const FISCAL = { mxik: '08450001001000000', package_code: '1475803', vat_percent: 12, is_marked: true };
const NONE = { mxik: null, package_code: null, vat_percent: null, is_marked: false };

async function newScene() {
  const family = await newFamily();
  return { token: family.director, catalog: await newCatalog(family) };
}

async function productOf(token: string, id: number) {
  return (await call(`GET ${PRODUCTS}/${id}`, { token })).body;
}

test('a product has mxik, package_code, vat_percent and is_marked: nothing unless they are sent, and a form that leaves them out keeps them', async () => {
  const { token, catalog } = await newScene();
  const [plain, marked] = [card(catalog), card(catalog, FISCAL)];
  expect(await productOf(token, await make(PRODUCTS, token, plain))).toMatchObject(NONE);
  const id = await make(PRODUCTS, token, marked);
  const put = async (given: object) => {
    const {
      mxik: _,
      package_code: __,
      vat_percent: ___,
      is_marked: ____,
      ...bare
    } = { ...FISCAL, ...marked };
    return (await call(`PUT ${PRODUCTS}/${id}`, { token, json: { ...bare, ...given } })).body;
  };
  expect(await put({})).toMatchObject(FISCAL);
  const cleared = { mxik: '', package_code: null, vat_percent: null };
  expect(await put(cleared)).toMatchObject({ ...NONE, is_marked: true });
  expect(await put({ is_marked: false })).toMatchObject(NONE);
});

test('mxik is 17 digits, package_code at most 20 characters: each wrong one is 422', async () => {
  const { token, catalog } = await newScene();
  for (const mxik of ['0845000100100000', '084500010010000000', '0845000100100000x']) {
    expect(await errorsOf(`POST ${PRODUCTS}`, token, card(catalog, { mxik }))).toEqual({
      mxik: translate('ru', { key: 'validation.wrong_format' }),
    });
  }
  const long = card(catalog, { package_code: 'x'.repeat(21), is_marked: 'maybe' });
  expect(Object.keys(await errorsOf(`POST ${PRODUCTS}`, token, long)).sort()).toEqual([
    'is_marked',
    'package_code',
  ]);
});

test('a synchronization knows them: what a row leaves out stays, and the same is not written', async () => {
  const { token, catalog } = await newScene();
  const row = { ...card(catalog), external_id: '1C-1' };
  const sync = async (given: object) => {
    const { body } = await call(`PUT ${PRODUCTS}/sync`, {
      token,
      json: { products: [{ ...row, ...given }] },
    });
    return body;
  };
  expect(await sync(FISCAL)).toMatchObject({ data: [{ outcome: 'made', product: FISCAL }] });
  expect(await sync({})).toMatchObject({ data: [{ outcome: 'same', product: FISCAL }] });
  const changed = { ...FISCAL, mxik: null };
  expect(await sync({ mxik: null })).toMatchObject({ data: [{ outcome: 'changed', product: changed }] });
  expect(await sync({ mxik: '1' })).toMatchObject({
    data: [{ status: 422, codes: { mxik: expect.anything() } }],
  });
});

test('an import takes them behind its columns, the VAT after barcodes and article (Part 5, 5B.9 (2)), and an update keeps what an empty cell says nothing of', async () => {
  const { token } = await newScene();
  const water = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', null, 5000, 'uzs', null, null];
  const send = async (mode: string, ...cells: (string | number | null)[]) => {
    const file = await workbookOf([
      [...water.map(() => 'x'), 'x', 'x', 'x', 'x', 'x', 'x'],
      [...water, ...cells],
    ]);
    return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode }) });
  };
  expect(await send('create', FISCAL.mxik, FISCAL.package_code, 'Да', null, null, '12,00')).toMatchObject({
    status: 200,
  });
  const shown = async () => (await call(`GET ${PRODUCTS}`, { token })).body;
  expect(await shown()).toMatchObject({ data: [FISCAL] });
  const changed = { ...FISCAL, package_code: '7', is_marked: false };
  expect(await send('update', null, '7', 0)).toMatchObject({ status: 200 });
  expect(await shown()).toMatchObject({ data: [changed] });
  expect(await send('update', null, null, null, null, null, 0)).toMatchObject({ status: 200 });
  expect(await shown()).toMatchObject({ data: [{ ...changed, vat_percent: 0 }] });
  expect(await send('update', '5', null, 'maybe', null, null, 100.5)).toMatchObject({
    status: 422,
    body: {
      codes: {
        'rows.2.mxik': ['validation.wrong_format'],
        'rows.2.is_marked': ['validation.not_yes_or_no'],
        'rows.2.vat_percent': ['validation.too_large'],
      },
    },
  });
});

test('a VAT rate is 0 to 100 with up to two decimals, or null (Part 5, 5A.2 (1))', async () => {
  const { token, catalog } = await newScene();
  for (const vat_percent of [0, 7.5, 12.25, 100, null]) {
    const id = await make(PRODUCTS, token, card(catalog, { vat_percent }));
    expect(await productOf(token, id)).toMatchObject({ vat_percent });
  }
  for (const vat_percent of [-1, 100.01, 12.345, 'x']) {
    const wrong = card(catalog, { vat_percent });
    expect(Object.keys(await errorsOf(`POST ${PRODUCTS}`, token, wrong))).toEqual(['vat_percent']);
  }
});
