import { expect, test } from 'vitest';
import { newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, TAKEN } from '#tests/support/records.ts';

const NAME = { ru: 'Соки', uz: 'Шарбатлар', oz: 'Sharbatlar' };
const OTHER = { ru: 'Чаи', uz: 'Чойлар', oz: 'Choylar' };

/** Bodies of two records of each type with an external id. */
const KNOWN = [
  ['/company/product/category', { name: NAME }, { name: OTHER }],
  ['/company/product/brand', { name: 'Lays', image_old_keys: '[]' }, { name: 'Orbit', image_old_keys: '[]' }],
  ['/company/product/unit', { name: NAME, accuracy: 0 }, { name: OTHER, accuracy: 0 }],
  [
    '/company/client/client',
    { full_name: 'Ali', main_phone: '998901234567' },
    { full_name: 'Vali', main_phone: '998907654321' },
  ],
  ['/company/stock/supplier', { name: 'Optom' }, { name: 'Import' }],
  [
    '/company/product/product',
    { name: 'Water', barcode: '1', sale_price: 5000, sale_currency: 'uzs' },
    { name: 'Juice', barcode: '2', sale_price: 5000, sale_currency: 'uzs' },
  ],
] as const;

test.each(KNOWN)(
  'a record of %s is found by its external id, which is unique in the family (Part 4, 4.3)',
  async (path, one, other) => {
    const [family, stranger] = await Promise.all([newFamily(), newFamily()]);
    const token = family.director;
    const isProduct = path.endsWith('/product/product');
    const [catalog, theirs] = isProduct
      ? await Promise.all([newCatalog(family), newCatalog(stranger)])
      : [{}, {}];
    const external_id = '5f0c-Ж 1';
    const id = await make(path, token, { ...one, ...catalog, external_id });
    expect((await call(`GET ${path}/${id}`, { token })).body).toMatchObject({ external_id });
    expect(await idsOf(path, token, `filter[external_id]=${encodeURIComponent(external_id)}`)).toEqual([id]);
    expect(await idsOf(path, token, 'filter[external_id]=5f0c')).toEqual([]);

    const second = { ...other, ...catalog };
    expect(await errorsOf(`POST ${path}`, token, { ...second, external_id })).toEqual({ external_id: TAKEN });
    const far = await make(path, stranger.director, { ...one, ...theirs, external_id });
    expect(far).toBeGreaterThan(0);
    const without = await make(path, token, second);
    expect((await call(`GET ${path}/${without}`, { token })).body).toMatchObject({ external_id: null });
    const taking = { ...second, external_id };
    expect(await errorsOf(`PUT ${path}/${without}`, token, taking)).toEqual({ external_id: TAKEN });
    const long = { ...second, external_id: 'x'.repeat(65) };
    expect(await errorsOf(`PUT ${path}/${without}`, token, long)).toHaveProperty('external_id');

    // A form without the field leaves it unchanged; null removes the id and frees it.
    const left = await call(`PUT ${path}/${id}`, { token, json: { ...one, ...catalog } });
    expect(left).toMatchObject({ status: 200, body: { external_id } });
    const emptied = await call(`PUT ${path}/${id}`, {
      token,
      json: { ...one, ...catalog, external_id: null },
    });
    expect(emptied).toMatchObject({ status: 200, body: { external_id: null } });
    const moved = await call(`PUT ${path}/${without}`, { token, json: taking });
    expect(moved).toMatchObject({ status: 200, body: { external_id } });
  },
);
