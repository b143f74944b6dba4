import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitEvery } from '#lib/values/concurrency.ts';
import { newDay } from '#tests/journeys/random-day/day.ts';
import { live } from '#tests/journeys/random-day/live.ts';
import { anyStep } from '#tests/journeys/random-day/steps.ts';
import { newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { make } from '#tests/support/records.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { SyncReader, untilAsListed, untilChanged } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const PEOPLE = 3;
const STEPS_EACH = 30;

test('a reader beside random writers ends with exactly what the lists give (Part 4, 4.1 (7))', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const day = await newDay(PEOPLE);
      const { companyId, branch } = day;
      const place = { type: 'director', family_id: companyId } as const;
      const { token } = await insertUser({ ...place, company_id: companyId });
      const narrow = { company_id: branch.companyId, are_all_companies_available: false };
      const { token: branchToken } = await insertUser({ ...place, ...narrow });
      const readers = [
        { copy: new SyncReader(token, { limit: 40 }), token },
        { copy: new SyncReader(branchToken), token: branchToken },
      ];
      const steps = fc.sample(anyStep, { seed, numRuns: PEOPLE * STEPS_EACH });
      const ways = splitEvery(
        steps.map((step) => ({ ...step, kill: null })),
        STEPS_EACH,
      );
      const lives = Promise.all(day.actors.map((actor, index) => live(day, actor, ways[index] ?? [])));
      await Promise.all([lives, ...readers.map(({ copy }) => copy.catchUp())]);
      for (const { copy, token: own } of readers) await untilAsListed(copy, own);
    }),
    { numRuns: 2, endOnFailure: true },
  );
});

test('a deleted record comes with is_deleted and its record, a restored one comes again', async () => {
  const { director: token } = await newFamily();
  const id = await make('/company/client/bonus-tariff', token, { name: 'Akfa', percent: 5 });
  const copy = await new SyncReader(token, { types: ['client.bonus-tariff'] }).catchUp();
  const first = copy.entry('client.bonus-tariff', id);
  expect(first).toMatchObject({ is_deleted: false, revision: 1 });
  await call(`DELETE /company/client/bonus-tariff/${id}`, { token });
  const deleted = await untilChanged(copy, 'client.bonus-tariff', id, 1);
  expect(deleted).toMatchObject({ is_deleted: true, record: { id, name: 'Akfa', is_deleted: true } });
  await call(`DELETE /company/client/bonus-tariff/${id}/restore`, { token });
  const restored = await untilChanged(copy, 'client.bonus-tariff', id, deleted.revision);
  expect(restored).toMatchObject({ is_deleted: false, record: { name: 'Akfa' } });
  expect(
    (await new SyncReader(token, { types: ['client.bonus-tariff'] }).catchUp()).of('client.bonus-tariff'),
  ).toHaveLength(1);
});

test('sums count as changes: of a balance and of a desk', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 5, cost: 100 }], { sale_price: 1000 });
  const copy = await new SyncReader(shop.director, {
    types: ['stock.product', 'cashbox.cashbox'],
  }).catchUp();
  const [balance] = copy.of('stock.product');
  const before = copy.entry('stock.product', balance?.id ?? 0);
  const desk = copy.entry('cashbox.cashbox', shop.cashboxId);
  expect(before?.record).toMatchObject({ product_id: product, quantity: 5, company_id: shop.companyId });
  expect((await sellOne(shop, product, 1, 1000)).status).toBe(200);
  const after = await untilChanged(copy, 'stock.product', balance?.id ?? 0, before?.revision);
  expect(after.record).toMatchObject({ quantity: 4 });
  await untilChanged(copy, 'cashbox.cashbox', shop.cashboxId, desk?.revision);
});

test('a branch’s director hears of the branch alone, and of a desk that moves there: 410', async () => {
  const { director: token, branch, branchDirector, companyId } = await newFamilyWithBranch();
  const types = ['cashbox.cashbox', 'client.bonus-tariff'] as const;
  const copy = await new SyncReader(branchDirector, { types }).catchUp();
  const known = copy.of('cashbox.cashbox').length;
  const desk = { name: 'Desk 1', type: 'sale' };
  const own = await make('/company/cashbox/cashbox', branchDirector, desk);
  const foreign = await make('/company/cashbox/cashbox', token, { ...desk, name: 'Desk 2' });
  const brand = await make('/company/client/bonus-tariff', token, { name: 'Akfa', percent: 5 });
  await untilChanged(copy, 'client.bonus-tariff', brand);
  expect(copy.of('cashbox.cashbox')).toHaveLength(known + 1);
  expect([copy.entry('cashbox.cashbox', own)?.id, copy.entry('cashbox.cashbox', foreign)]).toEqual([
    own,
    undefined,
  ]);
  await call(`PUT /company/cashbox/cashbox/${foreign}`, {
    token,
    json: { ...desk, name: 'Desk 2', company_id: branch },
  });
  await expect
    .poll(async () => (await copy.ask()).body, { timeout: MAX_WAIT_MS, interval: 1500 })
    .toMatchObject({ code: 'sync.reach_changed' });
  expect(companyId).not.toBe(branch);
});

test('new desks, warehouses and branches are no change of reach', async () => {
  const { director: token } = await newFamily();
  const copy = await new SyncReader(token, { types: ['stock.stock'] }).catchUp();
  const id = await newWarehouse(token, 'Second');
  await untilChanged(copy, 'stock.stock', id);
});

test('the rates of a company that is deleted go with it', async () => {
  const { director: token, branch } = await newFamilyWithBranch();
  const copy = await new SyncReader(token, { types: ['cashbox.currency-rate'] }).catchUp();
  expect(copy.of('cashbox.currency-rate')).toHaveLength(8);
  const administrator = await newSuperAdministrator();
  await call(`DELETE /admin/company/company/${branch}`, { token: administrator });
  await expect
    .poll(async () => (await copy.catchUp()).of('cashbox.currency-rate').length, {
      timeout: MAX_WAIT_MS,
      interval: 1500,
    })
    .toBe(4);
});
