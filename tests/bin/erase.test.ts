import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, inject, test } from 'vitest';
import { dynamo, tableName } from '#lib/table/client.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { picture } from '#tests/support/files.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { runProgram } from '#tests/support/program.ts';
import { newShop, sellOne } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erase-'));
  return () => rmSync(folder, { recursive: true });
});

const place = (family: number) => ['--family', String(family), '--table', tableName()];

const erase = (family: number, yes: string) =>
  runProgram('erase', [...place(family), '--from', folder, '--yes', yes], inject('settings'));

const exportIt = (family: number) =>
  runProgram('export', [...place(family), '--to', folder, '--address', inject('address')]);

/** Creates a shop that has sold, with a brand that has an image, and a neighbouring family. */
async function newTrade() {
  const shop = await newShop();
  const { director: token, stockId: stock_id, companyId } = shop;
  const form = new FormData();
  form.set('name', 'Чай');
  form.set('image_old_keys', '[]');
  form.set('image', await picture('png', 20, 20));
  const brand = await call('POST /company/product/brand', { token, form });
  const product = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: product, quantity: 10, cost: 3000 }] });
  await sellOne(shop, product, 2, 5000);
  const administrator = await newSuperAdministrator();
  const path = `/admin/company/company/${companyId}`;
  const name = (await call(`GET ${path}`, { token: administrator })).text('name');
  return {
    ...shop,
    administrator,
    path,
    name,
    image: /http[^"]+\.png/.exec(JSON.stringify(brand.body))?.[0] ?? '',
  };
}

async function partitionsOf(tenant: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: tableName() }))
    found.push(...Items.map(({ pk }) => String(pk)).filter((pk) => pk.split('#').includes(tenant)));
  return found;
}

/** Lists the partitions of the items that have a text, as typed or normalized. */
async function whereStands(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: tableName() }))
    found.push(
      ...Items.filter((item) => JSON.stringify(item).toLowerCase().includes(text.toLowerCase())).map(
        ({ pk }) => String(pk),
      ),
    );
  return found;
}

// Calls are repeated once their test is over, the first of each kind: so the first family is left as it is.
test('one that is open, or has no export, is not erased', async () => {
  const { companyId, name } = await newTrade();
  expect((await erase(companyId, name)).stderr).toContain('has no whole export of family');
  await exportIt(companyId);
  expect((await erase(companyId, name)).stderr).toContain(`Family ${companyId} is open`);
  expect((await partitionsOf(`family-${companyId}`)).length).toBeGreaterThan(20);
});

test('one that was exported before its end is not erased', async () => {
  const { companyId, administrator, path, name } = await newTrade();
  await exportIt(companyId);
  await call(`DELETE ${path}`, { token: administrator });
  expect((await erase(companyId, name)).stderr).toContain('was changed after its export was begun');
  expect((await partitionsOf(`family-${companyId}`)).length).toBeGreaterThan(20);
});

test('a family that was deleted and exported is erased, with its files, and no other is', async () => {
  const { companyId, director, directorId, administrator, path, name, image } = await newTrade();
  const place = { company_id: companyId, family_id: companyId };
  await newRole({ type: 'employee', new_routes: [], name: `Старший смены ${companyId}`, ...place });
  const other = await newShop();
  const before = await partitionsOf(`family-${other.companyId}`);
  await call(`DELETE ${path}`, { token: administrator });
  expect(await exportIt(companyId)).toMatchObject({ code: 0 });
  expect((await fetch(image)).status).toBe(200);
  expect(await erase(companyId, 'Another')).toMatchObject({
    code: 1,
    stderr: 'Not erased: "Another" is not its name.\n',
  });
  const { code, stdout, stderr } = await erase(companyId, name);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`Family ${companyId}: \\d{2,} items and [1-9]\\d* files were erased\\.`));
  // The stream consumer writes about deleted items, at once or later.
  const told = [`activity#family-${companyId}`, `feed#family-${companyId}`];
  expect(told).toEqual(expect.arrayContaining(await partitionsOf(`family-${companyId}`)));
  expect((await fetch(image)).status).not.toBe(200);
  expect((await call('GET /company/product/brand', { token: director })).status).toBe(401);
  const company = await call(`GET ${path}`, { token: administrator });
  expect([200, 404]).toContain(company.status);
  expect(JSON.stringify(company.body)).not.toContain(name);
  const user = await call(`GET /admin/user/user/${directorId}`, { token: administrator });
  expect([200, 404]).toContain(user.status);
  expect(await whereStands(`Старший смены ${companyId}`)).toEqual([]);
  expect(await partitionsOf(`family-${other.companyId}`)).toEqual(expect.arrayContaining(before));
  await expect
    .poll(async () => (await erase(companyId, name)).stdout, { timeout: MAX_WAIT_MS })
    .toContain(`Family ${companyId}: 0 items`);
  expect(await partitionsOf(`family-${companyId}`)).toEqual([]);
});
