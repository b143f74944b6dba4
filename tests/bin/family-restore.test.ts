import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { REBUILT_KINDS, STANDING_KINDS } from '#bin/family/kinds.ts';
import { keyOfRaw, type RawItem, scanRaw } from '#bin/family/raw.ts';
import { inTable } from '#bin/family/settled.ts';
import { readBooks } from '#bin/verify/family.ts';
import { mainDeskId, mainDeskKey } from '#lib/cash/desk/main.ts';
import { brands } from '#lib/catalog/brand.ts';
import { removeFiles } from '#lib/files/storage.ts';
import { dueKey } from '#lib/records/due.ts';
import { findRecord } from '#lib/records/record.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { salesRollups } from '#lib/reports/rollups/sales.ts';
import { putNew } from '#lib/table/change/write.ts';
import { tableName } from '#lib/table/client.ts';
import { LOCK } from '#lib/table/items.ts';
import { addressOf, familyTenant, recordKey } from '#lib/table/keys.ts';
import { stateKey } from '#lib/table/list-index/changes.ts';
import { IndexState } from '#lib/table/list-index/state.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { RollupState, rollupStateKey } from '#lib/table/rollups/kind.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { REPRICING_DUE } from '#lib/trade/repricing/plan.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newEveryKind } from '#tests/support/every-kind.ts';
import { newCompany, newEmployee, newSuperAdministrator } from '#tests/support/family.ts';
import { picture } from '#tests/support/files.ts';
import { inCash } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { runProgram } from '#tests/support/program.ts';
import { make } from '#tests/support/records.ts';
import {
  MONTH_IN_MINUTES,
  minuteFromNow,
  REPRICINGS,
  reprice,
  repricingRow,
} from '#tests/support/repricing.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { count, endStocktake, startStocktake } from '#tests/support/stocktakes.ts';
import { SyncReader } from '#tests/support/sync.ts';
import { closeFamily, copyFamilyTable } from '#tests/support/table-copy.ts';
import { newTradeWithReceipt } from '#tests/support/trade-with-receipt.ts';

const BRANDS = '/company/product/brand';

let administrator: string;

beforeAll(async () => {
  administrator = await newSuperAdministrator();
});

const pathOf = (family: number) => `/admin/company/company/${family}`;

async function nameOf(family: number): Promise<string> {
  return (await call(`GET ${pathOf(family)}`, { token: administrator })).text('name');
}

const open = (family: number) => call(`DELETE ${pathOf(family)}/restore`, { token: administrator });

async function restore(family: number, from: string, given: readonly string[] = []) {
  const place = ['--family', String(family), '--from', from, '--table', tableName()];
  return runProgram('restore', [...place, ...given], inject('settings'));
}

/** Reads the restored items of a family, by address, without versions. */
async function businessIn(table: string, family: number): Promise<Map<string, RawItem>> {
  const found = new Map<string, RawItem>();
  for await (const items of scanRaw(table)) {
    for (const { version: _, ...item } of items) {
      const [kind = '', ...parts] = keyOfRaw(item).pk.split('#');
      const isOther = [kind, parts[0] ?? ''].some((word) => STANDING_KINDS.includes(word));
      if (!parts.includes(familyTenant(family)) || isOther || REBUILT_KINDS.includes(kind)) continue;
      found.set(addressOf(keyOfRaw(item)), item);
    }
  }
  return found;
}

/** Reads the states of the sales index and of the sales rollups. */
async function statesOf(family: number) {
  const tenant = familyTenant(family);
  const [index, cubes] = await getItems([
    stateKey({ type: sales.type, tenant }),
    rollupStateKey(salesRollups, tenant),
  ]);
  return { index: IndexState.parse(index), cubes: RollupState.parse(cubes) };
}

test('lists and reports that were made of what is gone are made anew', async () => {
  const { goods, ...shop } = await newTradeWithReceipt(200);
  const { companyId: family, director: token } = shop;
  const tenant = familyTenant(family);
  const sellSome = async (times: number) => {
    for (let each = 0; each < times; each++) expect((await sellOne(shop, goods, 1, 5000)).status).toBe(200);
  };
  const giveBack = async (sale: number) => {
    const products = (await linesOfSale(shop, sale)).map(({ id }) => {
      return { id, returned_quantity: 1, reason_type: 'defective' };
    });
    const { status } = await sendReturn(shop, sale, { products, transactions: [inCash(5000)] });
    expect(status).toBe(200);
  };
  await sellSome(70);
  await giveBack(1);
  const from = await copyFamilyTable(family);
  await sellSome(5);
  await giveBack(2);
  const source = sourceOf(sales, tenant);
  await vi.waitFor(
    async () => {
      await updateIndexes(source, Date.now());
      await updateRollups({ ...salesRollups, worth: 1 }, tenant, Date.now());
      expect((await statesOf(family)).cubes.upto).toBe(75);
      expect((await statesOf(family)).index.upto).toBe(75);
    },
    { timeout: MAX_WAIT_MS, interval: 200 },
  );
  const before = await statesOf(family);
  const name = await nameOf(family);
  await closeFamily(family);
  const { code, stdout } = await restore(family, from, ['--yes', name]);
  expect(stdout).toContain(`Family ${family}: everything adds up.`);
  expect(stdout).toContain('70 sales');
  expect(code).toBe(0);
  const after = await statesOf(family);
  expect(after.index.generation).toBeGreaterThan(before.index.generation);
  expect(after.cubes.generation).toBeGreaterThan(before.cubes.generation);
  const asked = 'GET /company/trade/sale?filter[status]=completed&page-size=1';
  expect((await call(asked, { token })).number('meta.total')).toBe(69);
  expect((await open(family)).status).toBe(200);
});

const UNBALANCED = 'Its books do not add up: choose another minute. Leave it closed until they do.\n';

/** Returns the violations in a family's books. */
async function faultsOf(family: number): Promise<Set<string>> {
  return new Set((await readBooks(family)).violations.map(({ book, subject }) => `${book}: ${subject}`));
}

test('a restored family’s books are reported to add up, with the next step', async () => {
  const { goods, ...shop } = await newTradeWithReceipt();
  const { companyId: family } = shop;
  expect((await sellOne(shop, goods, 1, 5000)).status).toBe(200);
  const from = await copyFamilyTable(family);
  expect((await sellOne(shop, goods, 1, 5000)).status).toBe(200);
  const name = await nameOf(family);
  await closeFamily(family);
  const { code, stdout, stderr } = await restore(family, from, ['--yes', name]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Family ${family}: everything adds up.`);
  expect(stdout).toContain('Restore its main company, and it is open again');
  expect((await open(family)).status).toBe(200);
  expect((await sellOne(shop, goods, 9, 5000)).status).toBe(200);
  expect((await readBooks(family)).violations).toEqual([]);
});

test('a planned repricing that was canceled since is planned and due again', async () => {
  const shop = await newShop();
  const { companyId: familyId, director: token } = shop;
  const product = await newGoods(shop, []);
  const at = minuteFromNow(MONTH_IN_MINUTES);
  const plan = { starts_at: renderInstant(at) };
  // Calls are repeated once the test is over, the first of each kind: so one is canceled before.
  const { id: scratch } = await reprice(shop, [repricingRow(product)], plan);
  expect((await call(`PATCH ${REPRICINGS}/${scratch}/cancel`, { token })).status).toBe(200);
  const { id } = await reprice(shop, [repricingRow(product)], plan);
  const due = dueKey(REPRICING_DUE, { familyId, id, at });
  const from = await copyFamilyTable(familyId);
  expect(await getItem(due)).toBeDefined();
  expect((await call(`PATCH ${REPRICINGS}/${id}/cancel`, { token })).status).toBe(200);
  expect(await getItem(due)).toBeUndefined();
  const name = await nameOf(familyId);
  await closeFamily(familyId);
  expect((await restore(familyId, from, ['--yes', name])).stdout).toContain('items were written');
  expect((await open(familyId)).status).toBe(200);
  expect((await call(`GET ${REPRICINGS}/${id}`, { token })).text('status')).toBe('planned');
  expect(await getItem(due)).toBeDefined();
});

test('a closed family is brought back to what a restored table has of it, and works on from there', async () => {
  const till = await newEveryKind();
  const { companyId: family, director: token, stockId } = till;
  const form = new FormData();
  form.set('name', 'Чай');
  form.set('image_old_keys', '[]');
  form.set('image', await picture('png', 20, 20));
  const made = await call(`POST ${BRANDS}`, { token, form });
  const brand = made.number('id');
  const [, image = ''] = /"http[^"]+?(public\/[^"]+\.png)"/.exec(JSON.stringify(made.body)) ?? [];
  // Calls are repeated once the test is over, the first of each kind: so these are made before.
  const scratch = await make(BRANDS, token, { name: 'Мята', image_old_keys: '[]' });
  const without = { name: 'Кофе', image_old_keys: '[]' };
  await call(`PUT ${BRANDS}/${scratch}`, { token, json: { ...without, name: 'Мелисса' } });
  await call(`DELETE ${BRANDS}/${scratch}`, { token });
  const water = await newGoods(till, [{ quantity: 50, cost: 100 }]);
  const counted = await startStocktake(till, { type: 'partial', product_ids: [water] });
  const cursor = await new SyncReader(token).catchUp();
  const other = await newShop();
  const cursorOfOther = await new SyncReader(other.director).catchUp();
  const from = await copyFamilyTable(family);
  const before = await businessIn(from, family);
  const faults = await faultsOf(family);

  // Later changes: the stocktake ended, sales, a brand without its image, goods, a user and a branch.
  await count(till, counted, [[water, 40]]);
  expect((await endStocktake(till, counted, 'complete')).status).toBe(200);
  for (let each = 0; each < 3; each++) expect((await sellOne(till, water, 1, 5000)).status).toBe(200);
  expect((await call(`PUT ${BRANDS}/${brand}`, { token, json: without })).status).toBe(200);
  expect((await call(`DELETE ${BRANDS}/${brand}`, { token })).status).toBe(200);
  await removeFiles([image]);
  const later = await newGoods(till, [{ quantity: 5, cost: 100 }]);
  const employee = await newEmployee(till, ['company.product.brand.index'], {});
  const branch = await newCompany(family);
  const seen = await findRecord({ type: brands, tenant: familyTenant(family), id: brand });
  expect(await businessIn(tableName(), family)).not.toEqual(before);
  const name = await nameOf(family);
  await closeFamily(family);

  const { code, stdout, stderr } = await restore(family, from, ['--yes', name]);
  // Goods of test support have no goods receipt.
  expect([code, stderr]).toEqual([1, UNBALANCED]);
  expect(await faultsOf(family)).toEqual(faults);
  expect(stdout).toMatch(new RegExp(`^Brings family ${family} of ${tableName()} back to what ${from} has`));
  expect(stdout).toContain('That is in account 0');
  expect(stdout).toContain(`Gone: ${image}\n`);
  expect(stdout).toMatch(
    new RegExp(`Family ${family}: [1-9]\\d* items were written, [1-9]\\d* were removed\\.`),
  );
  const tenant = familyTenant(family);
  const after = await businessIn(tableName(), family);
  // The branch has its initial records.
  const desk = mainDeskId(await getItem(mainDeskKey(tenant, branch)));
  expect(desk).toEqual(expect.any(Number));
  expect(await getItem(recordKey('company-rates', tenant, branch))).toBeDefined();
  for (const [address, item] of before)
    expect({ address, item: after.get(address) }).toEqual({ address, item });
  const more = [...after.keys()].filter((address) => !before.has(address));
  // The stream consumer may have written late about a price that is gone, the worker about a refused sale.
  const ofBranch = /^(name#cashbox#|cashbox#|cashbox-balance#|company-rates#|product-price#|notified#)/;
  expect(more.filter((address) => !ofBranch.test(address))).toEqual([]);

  expect((await open(family)).status).toBe(200);
  const back = await findRecord({ type: brands, tenant, id: brand });
  expect(back).toMatchObject({ name: 'Чай', is_deleted: false });
  expect(back?.version).toBeGreaterThan(seen?.version ?? 0);
  // Sync clients of this family alone start over.
  expect(await cursor.ask()).toMatchObject({ status: 410 });
  expect(await cursorOfOther.ask()).toMatchObject({ status: 200 });
  // A user created since still exists.
  expect((await call(`GET ${BRANDS}`, { token: employee })).status).toBe(200);
  // The stocktake continues, and ends once more.
  await count(till, counted, [[water, 30]]);
  expect((await endStocktake(till, counted, 'complete')).status).toBe(200);
  expect((await sellOne({ ...till, stockId }, water, 1, 5000)).status).toBe(200);
  // No id is reused.
  expect(await newGoods(till, [{ quantity: 5, cost: 100 }])).toBeGreaterThan(later);
  const isLater = (fault: string) => !faults.has(fault);
  expect([...(await faultsOf(family))].filter(isLater)).toEqual([
    expect.stringContaining('purchase 1000000'),
    expect.stringContaining('costs: product'),
  ]);
  const list = await new SyncReader(token).catchUp();
  expect(list.of('product.brand').map(({ id }) => id)).toContain(brand);

  // A second restore changes only the newer writes.
  await closeFamily(family);
  expect(await restore(family, from, ['--yes', name])).toMatchObject({ stderr: UNBALANCED });
  const again = await restore(family, from, ['--yes', name]);
  expect(again.stdout).toMatch(new RegExp(`Family ${family}: 0 items were written, \\d+ were removed\\.`));
  expect((await open(family)).status).toBe(200);
});

test('a family that is open, or was closed just now, is not brought back, nor by another name or table', async () => {
  const shop = await newShop();
  const { companyId: family } = shop;
  const from = await copyFamilyTable(family);
  const before = await businessIn(tableName(), family);
  const name = await nameOf(family);
  const refusals = async () => (await restore(family, from, ['--yes', name])).stderr;
  expect(await refusals()).toBe(`Family ${family} is open: delete its main company first.\n`);
  await closeFamily(family, Date.now());
  expect(await refusals()).toContain(`Family ${family} was closed just now`);
  expect(await open(family)).toMatchObject({ status: 200 });
  await closeFamily(family);
  expect((await restore(family, from, ['--yes', 'Another'])).stderr).toBe(
    'Not brought back: "Another" is not its name.\n',
  );
  expect((await restore(family, tableName())).stderr).toContain('is the table in use');
  const none = `none-${randomUUID()}`;
  expect((await restore(family, none)).stderr).toContain(`There is no table ${none}`);
  const other = await newShop();
  await closeFamily(other.companyId);
  expect((await restore(other.companyId, from)).stderr).toContain(`${from} has no family ${other.companyId}`);
  expect((await runProgram('restore', ['--family', String(family)])).stderr).toContain(
    'From which restored table?',
  );
  expect(await businessIn(tableName(), family)).toEqual(before);
});

test('a large transaction that was under way then is ended before anything is copied: all of it or nothing', async () => {
  const { companyId: family } = await newShop();
  const tenant = familyTenant(family);
  const name = await nameOf(family);
  await closeFamily(family);
  const outcomes = new Set<number>();
  for (let calls = 3; calls < 30 && outcomes.size < 2; calls += 1) {
    const type = `written-${calls}`;
    const keys = Array.from({ length: 250 }, (_, id) => recordKey(type, tenant, id + 1));
    const from = await copyFamilyTable(family);
    await inTable(from, async () => {
      await withCalls(calls, () => transact(keys.map((key) => putNew(key, { id: 1 }))));
    });
    const held = [...(await businessIn(from, family)).values()].filter((item) => item[LOCK]);
    if (held.length === 0) continue;
    expect(await restore(family, from, ['--yes', name])).toMatchObject({ code: 0, stderr: '' });
    const there = [...(await businessIn(tableName(), family)).values()];
    expect(there.filter((item) => item[LOCK])).toEqual([]);
    const found = there.filter((item) => keyOfRaw(item).pk.startsWith(`${type}#`)).length;
    expect([0, keys.length]).toContain(found);
    outcomes.add(found);
  }
  expect(outcomes).toEqual(new Set([0, 250]));
});
