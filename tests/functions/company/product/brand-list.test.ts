import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { brands, newBrand } from '#lib/catalog/brand.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { directorAs, newCompany, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const BRANDS = '/company/product/brand';

const Names = z.object({ data: z.array(z.object({ name: z.string() })) });

let director: string;
let directorId: number;
let mainCompany: number;
let branch: number;
let branchDirectorId: number;

const at = (time: string) => Date.parse(`${time}+05:00`);

beforeAll(async () => {
  const family = await newFamily();
  ({ director, directorId, companyId: mainCompany } = family);
  branch = await newCompany(family.companyId);
  const place = { company_id: branch, family_id: family.companyId };
  branchDirectorId = (await insertUser({ type: 'director', ...place })).id;
  const main = directorAs(directorId, family.companyId);
  const other = directorAs(branchDirectorId, family.companyId, branch);
  await Promise.all(
    [
      newBrand(main, 1, 'Artel', at('2026-01-01T00:00:00')),
      newBrand(main, 2, 'ÄRTEL plus', at('2026-01-31T23:59:59')),
      newBrand(other, 3, 'Beko', at('2026-02-01T00:00:00')),
      { ...newBrand(other, 4, 'Старый завод', at('2026-03-01T12:00:00')), is_deleted: true },
    ].map((brand) => insertRecord(brands, main.tenant, brand)),
  );
});

async function names(query: string): Promise<string[]> {
  const { body } = await call(`GET ${BRANDS}?sort[]=id&${query}`, { token: director });
  return Names.parse(body).data.map(({ name }) => name);
}

test.each([
  ['filter[id]=2', ['ÄRTEL plus']],
  ['filter[id][]=1&filter[id][]=3', ['Artel', 'Beko']],
  ['filter[name]=RTEL', ['Artel', 'ÄRTEL plus']],
  ['filter[name]=ärt', ['ÄRTEL plus']],
  ['filter%5Bname%5D=beko', ['Beko']],
  ['filter[name]=%25', []],
  ['filter[created_at][0]=2026-02-01', ['Beko']],
  ['filter[created_at][1]=2026-01-31', ['Artel', 'ÄRTEL plus']],
  ['filter[created_at][0]=2026-01-01&filter[created_at][1]=2026-01-01', ['Artel']],
  [
    'filter%5Bcreated_at%5D%5B0%5D=2026-01-31&filter%5Bcreated_at%5D%5B1%5D=2026-02-01',
    ['ÄRTEL plus', 'Beko'],
  ],
  ['show[]=with-deleted', ['Artel', 'ÄRTEL plus', 'Beko', 'Старый завод']],
  ['show[]=only-deleted', ['Старый завод']],
  ['show[]=only-deleted&filter[name]=ЗАВОД', ['Старый завод']],
])('%s finds %j', async (query, found) => {
  expect(await names(query)).toEqual(found);
});

test('filter[creator_id] and filter[company_id] find what a person and a branch made', async () => {
  expect(await names(`filter[creator_id]=${directorId}`)).toEqual(['Artel', 'ÄRTEL plus']);
  expect(await names(`filter[company_id]=${branch}`)).toEqual(['Beko']);
});

test('the order is newest first unless sort[] says otherwise', async () => {
  const order = async (query: string) =>
    Names.parse((await call(`GET ${BRANDS}?${query}`, { token: director })).body).data.map(
      ({ name }) => name,
    );
  expect(await order('')).toEqual(['Beko', 'ÄRTEL plus', 'Artel']);
  expect(await order('sort[]=-id')).toEqual(['Beko', 'ÄRTEL plus', 'Artel']);
  expect(await order('sort[]=id')).toEqual(['Artel', 'ÄRTEL plus', 'Beko']);
});

test('pages have the size that is asked for, up to 20, and exact totals', async () => {
  const { body } = await call(`GET ${BRANDS}?page=2&page-size=2`, { token: director });
  expect(body).toMatchObject({
    data: [{ name: 'Artel' }],
    meta: { current_page: 2, from: 3, to: 3, last_page: 2, per_page: 2, total: 3 },
    links: { next: null },
  });
  for (const size of ['0', '21', 'x']) {
    const reply = await call(`GET ${BRANDS}?page-size=${size}`, { token: director });
    expect(reply).toMatchObject({ status: 422, body: { errors: { 'page-size': [expect.any(String)] } } });
  }
});

test('with[] embeds the company and the creator with the profile, without secrets', async () => {
  const query = 'with[]=creator.profile&with[]=company';
  for (const path of [`${BRANDS}?filter[id]=3&${query}`, `${BRANDS}/3?${query}`]) {
    const { body } = await call(`GET ${path}`, { token: director });
    const text = JSON.stringify(body);
    expect(text).toContain(`"id":${branchDirectorId}`);
    expect(text).toContain(`"company":{"id":${branch}`);
    expect(text).toContain('"full_name":"Test"');
    expect(text).not.toMatch(/password|session|family_id|folded|version|"pk"/);
  }
  const { body } = await call(`GET ${BRANDS}/3`, { token: director });
  expect(body).not.toHaveProperty('creator');
  expect(body).not.toHaveProperty('company');
});

test('the branch of a family shares the brands', async () => {
  const { token } = await insertUser({ type: 'director', company_id: branch, family_id: mainCompany });
  const { body } = await call(`GET ${BRANDS}?sort[]=id`, { token });
  expect(Names.parse(body).data.map(({ name }) => name)).toEqual(['Artel', 'ÄRTEL plus', 'Beko']);
});
