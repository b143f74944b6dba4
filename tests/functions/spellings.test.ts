import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { splitEvery } from '#lib/values/concurrency.ts';
import { normalizeText } from '#lib/values/text.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { workbook, workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { errorsOf, idsOf, make, REQUIRED, TAKEN } from '#tests/support/records.ts';

/*
 * How a name may be spelled, by every way in. Contract 9.122 and 9 (123).
 */

const APOSTROPHES = [..."'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u2018\u2019\u201b\u2032\u2035\uff07"];

const UNSEEN = [...'\u200b\u00ad\u2060\ufe0f\u3164\uffa0\u115f\u034f\u180e\u2800'];

/** Stored form. */
const NAME = 'Yog‘ «Ёлка» 1 l';

const SPELLINGS = [
  ...APOSTROPHES.map((sign) => `Yog${sign} «Ёлка» 1 l`),
  ...UNSEEN.map((sign) => `Yo${sign}g‘${sign} «Ёлка» ${sign}1 l`),
  "YOG' «ЕЛКА» 1 L",
  'Yog‘ «Е\u0308лка» 1 l',
  "yog'\u00a0\u2007«елка»  1  l",
  'Ｙｏｇ＇ «Ёлка» １ ｌ',
];

/** The same as a part of it. */
const PARTS = SPELLINGS.map((spelling) => spelling.slice(0, spelling.indexOf('»') - 1));

const BRANDS = '/company/product/brand';
const CATEGORIES = '/company/product/category';
const SUPPLIERS = '/company/stock/supplier';
const PRODUCTS = '/company/product/product';
const DROP_DOWN = '/common/public/records';
const QUICKLY = '/common/public/create-record';

const inAll = (name: string) => ({ ru: name, uz: name, oz: name });
const brandOf = (name: string) => ({ name, image_old_keys: '[]' });

let family: Family;
let token: string;
let brand_id: number;
let category_id: number;

beforeAll(async () => {
  family = await newFamily();
  token = family.director;
  await make(SUPPLIERS, token, { name: NAME });
  brand_id = await make(BRANDS, token, brandOf(NAME));
  category_id = await make(CATEGORIES, token, { name: inAll(NAME) });
});

test('a name in any spelling is the one that there is, when it is made and changed (Contract 9.122)', async () => {
  const supplier = await make(SUPPLIERS, token, { name: 'Other' });
  const brand = await make(BRANDS, token, brandOf('Other'));
  const category = await make(CATEGORIES, token, { name: inAll('Other') });
  const ofAll = { 'name.ru': TAKEN, 'name.uz': TAKEN, 'name.oz': TAKEN };
  for (const name of SPELLINGS) {
    const ways: [string, object, object][] = [
      [`POST ${SUPPLIERS}`, { name }, { name: TAKEN }],
      [`PUT ${SUPPLIERS}/${supplier}`, { name }, { name: TAKEN }],
      [`POST ${BRANDS}`, brandOf(name), { name: TAKEN }],
      [`PUT ${BRANDS}/${brand}`, brandOf(name), { name: TAKEN }],
      [`POST ${CATEGORIES}`, { name: inAll(name) }, ofAll],
      [`PUT ${CATEGORIES}/${category}`, { name: inAll(name) }, ofAll],
    ];
    for (const [way, json, errors] of ways)
      expect([way, name, await errorsOf(way, token, json)]).toEqual([way, name, errors]);
  }
});

test('so it is when it is made quickly', async () => {
  const ofAll = { 'name.ru': TAKEN, 'name.uz': TAKEN, 'name.oz': TAKEN };
  // A caller is limited to three a minute.
  for (const [index, few] of splitEvery(SPELLINGS, 3).entries()) {
    const { director } = await newFamily();
    await make(BRANDS, director, brandOf(NAME));
    await make(CATEGORIES, director, { name: inAll(NAME) });
    const [type, errors] = index % 2 === 0 ? ['product_brand', { name: TAKEN }] : ['product_category', ofAll];
    for (const name of few)
      expect([name, await errorsOf(`POST ${QUICKLY}/${type}`, director, { name })]).toEqual([name, errors]);
  }
});

test('a name in any spelling is found by filters and drop-downs (Contract 9.122)', async () => {
  for (const part of PARTS) {
    const sought = encodeURIComponent(part);
    for (const [list, id] of [
      [BRANDS, brand_id],
      [CATEGORIES, category_id],
      [SUPPLIERS, 1],
    ])
      expect([part, await idsOf(`${list}`, token, `filter[name]=${sought}`)]).toEqual([part, [id]]);
    for (const type of ['product_brand', 'product_category_list', 'supplier']) {
      const { body } = await call(`GET ${DROP_DOWN}/${type}?filter[value]=${sought}`, { token });
      expect([type, part, body]).toMatchObject([type, part, { meta: { total: 1 } }]);
    }
  }
});

test('a name in any spelling is the one that there is in an import and in a synchronization', async () => {
  const { unit_id } = await newCatalog(family);
  const before = await idsOf(BRANDS, token);
  const file = await workbook(['Name', ...SPELLINGS]);
  expect(await call(`POST ${BRANDS}/import`, { token, form: formOf({ file }) })).toMatchObject({
    status: 200,
  });
  expect(await idsOf(BRANDS, token)).toEqual(before);

  const rows = SPELLINGS.map((name, index) => [
    'Oil',
    name,
    name,
    'дона',
    `I-${index}`,
    null,
    1,
    'uzs',
    null,
  ]);
  const products = await workbookOf([[], ...rows]);
  const imported = await call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file: products }) });
  expect(imported).toMatchObject({ status: 200 });

  const sent = SPELLINGS.map((brand_name, index) => {
    const { brand_id: _, ...row } = card({ brand_id, category_id, unit_id });
    return { ...row, brand_name, external_id: `S-${index}` };
  });
  await call(`PUT ${PRODUCTS}/sync`, { token, json: { products: sent } });
  const found = await idsOf(PRODUCTS, token, `filter[brand_id]=${brand_id}&page-size=200`);
  expect(found).toHaveLength(2 * SPELLINGS.length);
});

test('a name is kept as it is typed, and one in which nothing can be seen is none (Contract 9.122)', async () => {
  const stored = { name: "So'm `ё`" };
  const id = await make(SUPPLIERS, token, stored);
  expect((await call(`GET ${SUPPLIERS}/${id}`, { token })).body).toMatchObject(stored);
  const nothing = UNSEEN.join(' ');
  expect(await errorsOf(`POST ${SUPPLIERS}`, token, { name: nothing })).toEqual({ name: REQUIRED });
  const quickly = await errorsOf(`POST ${QUICKLY}/product_brand`, token, { name: nothing });
  expect(quickly).toEqual({ name: REQUIRED });
  expect(await errorsOf(`POST ${CATEGORIES}`, token, { name: inAll(nothing) })).toEqual({
    'name.ru': REQUIRED,
    'name.uz': REQUIRED,
    'name.oz': REQUIRED,
  });
});

test('folding a name again changes nothing', () => {
  const changed = Array.from({ length: 0x11_0000 }, (_, code) => `a${String.fromCodePoint(code)}b`)
    .map(normalizeText)
    .filter((folded) => normalizeText(folded) !== folded);
  expect(changed).toEqual([]);
});

const Profile = z.object({ profile: z.object({ first_name: z.string(), full_name: z.string() }) });

test('people may have an apostrophe between or after letters, as it is typed (Contract 9.123)', async () => {
  const admin = await newSuperAdministrator();
  const userOf = (profile: object) => ({
    username: `u-${randomUUID()}`,
    phone: '998901234567',
    type: 'director',
    company_id: family.companyId,
    new_password: 'Savdo-2026',
    new_password_confirmation: 'Savdo-2026',
    profile,
  });
  const forms = [
    { way: '/company/user/user', by: token },
    { way: '/admin/company/user', by: admin },
  ];
  for (const sign of APOSTROPHES) {
    const profile = { first_name: `O${sign}ktam`, last_name: `Ma${sign}mura-Sa${sign}d qizi${sign}` };
    for (const { way, by } of forms) {
      const id = await make(way, by, userOf(profile));
      const { body } = await call(`GET ${way}/${id}?with[]=profile`, { token: by });
      expect(Profile.parse(body).profile).toMatchObject({
        first_name: profile.first_name,
        full_name: `${profile.last_name} ${profile.first_name}`,
      });
    }
    for (const first_name of [sign, `${sign}ktam`, `O${sign}${sign}ktam`, `A ${sign}li`, `A-${sign}li`]) {
      const errors = await errorsOf('POST /company/user/user', token, userOf({ first_name }));
      expect([first_name, Object.keys(errors)]).toEqual([first_name, ['profile.first_name']]);
    }
  }
});
