import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { readEntry } from '#lib/webhooks/entry.ts';
import { newDay } from '#tests/journeys/random-day/day.ts';
import { live } from '#tests/journeys/random-day/live.ts';
import { anyStep } from '#tests/journeys/random-day/steps.ts';
import { addClient } from '#tests/support/clients.ts';
import { correct, newSuppliedShop } from '#tests/support/cost-corrections.ts';
import { lend, newWater, payDebt } from '#tests/support/debts.ts';
import { directorAs, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { correctTo } from '#tests/support/sale-tenders.ts';
import { newShop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { TYPES } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const PEOPLE = 3;
const STEPS_EACH = 30;

/** Seeds of days, taken until their records are of every type. */
const SEEDS = [7, 8, 9, 10];

/** Creates a family with records of most types. */
async function newWholeDay(seed: number) {
  const day = await newDay(PEOPLE);
  const { companyId } = day;
  const { token } = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const name = { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' };
  const specification_id = await make('/company/product/specification', token, { name });
  await make('/company/product/option', token, { specification_id, name: 'Oq' });
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  await make('/company/product/service', token, { service_unit_id, name: 'Yetkazish', price: 100 });
  const steps = fc.sample(anyStep, { seed, numRuns: PEOPLE * STEPS_EACH });
  const ways = splitEvery(
    steps.map((step) => ({ ...step, kill: null })),
    STEPS_EACH,
  );
  await Promise.all(day.actors.map((actor, index) => live(day, actor, ways[index] ?? [])));
  return day;
}

const Seen = z.object({
  type: z.enum(TYPES),
  id: z.int(),
  revision: z.int(),
  record: z.looseObject({ company_id: z.int().nullish() }),
});

/** Reads a replica of a caller's reach, by type and id. */
async function copyFor(actor: Staff): Promise<Map<string, z.output<typeof Seen>>> {
  const entries = new Map<string, z.output<typeof Seen>>();
  let cursor: string | undefined;
  for (let isMore = true; isMore; ) {
    const query = SyncQuery.parse(cursor === undefined ? { types: TYPES } : { cursor });
    const page = await sync({ actor, query, at: Date.now(), locale: 'ru' });
    for (const entry of z.array(Seen).parse(page.data)) entries.set(`${entry.type} ${entry.id}`, entry);
    cursor = page.cursor;
    isMore = page.has_more;
  }
  return entries;
}

const Debts = z.object({ data: z.array(z.object({ id: z.int() })) });

/** Creates a shop with a debt paid in part, a return, a corrected sale, collected money, and a count. */
async function newDebtor() {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  await lend(shop, { client, water, amount: 100 });
  await payDebt(shop, client, { cash: 40 });
  const sale = (await sellOne(shop, water, 2, 1)).number('id');
  const [line] = await linesOfSale(shop, sale);
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 1))).status).toBe(200);
  const token = shop.director;
  const paid = (await sellOne(shop, water, 3, 1)).number('id');
  expect((await correctTo({ token }, paid, { card: 3 })).status).toBe(200);
  const comment = 'Сверка';
  const { data } = Debts.parse((await call('GET /company/client/debt', { token })).body);
  await call(`PATCH /company/client/debt/${data[0]?.id}/write-off`, { token, json: { amount: 1, comment } });
  const deposit = { currency: 'uzs', amount: 5, comment };
  await make(`/company/client/client/${client}/deposit-correction`, token, deposit);
  const items = [{ payment_type: 'cash', currency: 'uzs', amount: 10 }];
  await make('/company/cashbox/operation/collection', shop.director, { cashbox_id: shop.cashboxId, items });
  await make('/company/trade/inventory', token, { stock_id: shop.stockId, type: 'full' });
  return shop;
}

/**
 * Expects that the record read for a webhook by an actor equals the one in the actor's replica. Returns the
 * types.
 */
async function expectAsCopied(director: Staff, others: readonly Staff[]) {
  const whole = await copyFor(director);
  for (const actor of [director, ...others]) {
    const copy = await copyFor(actor);
    for (const [name, { type, id, record }] of whole) {
      const seen = await readEntry(actor, { type, id, companyId: record.company_id });
      expect([name, seen?.revision]).toEqual([name, copy.get(name)?.revision]);
    }
  }
  return [...whole.values()].map(({ type }) => type);
}

/** Compares records of a day for its directors and an employee, and returns their types. */
async function typesOfDay(seed: number) {
  const day = await newWholeDay(seed);
  const { companyId, actors, branch, stockIds, cashboxIds } = day;
  const [{ id } = { id: 0 }] = actors;
  const ofBranch: Staff = {
    ...directorAs(id, companyId, branch.companyId),
    companies: [branch.companyId],
  };
  const employee: Staff = {
    ...directorAs(id, companyId),
    ...{ type: 'employee', rights: ['company.*'], companies: [companyId] },
    ...{ warehouses: stockIds.slice(0, 1), cashDesks: cashboxIds.slice(0, 1) },
  };
  return expectAsCopied(directorAs(id, companyId), [ofBranch, employee]);
}

test('of every type, reach and revision are those of the copy (Part 4, 4.2 (1), (4))', async () => {
  const shop = await newDebtor();
  const director = directorAs(shop.directorId, shop.companyId);
  const nowhere: Staff = { ...director, companies: [shop.companyId], cashDesks: [], warehouses: [] };
  const further = await expectAsCopied(director, [nowhere]);
  const supplied = await newSuppliedShop(1);
  expect((await correct(supplied, [3])).status).toBe(200);
  const corrected = await expectAsCopied(directorAs(supplied.directorId, supplied.companyId), []);
  const types = new Set([...further, ...corrected]);
  for (const seed of SEEDS) {
    if (types.size === TYPES.length) break;
    for (const type of await typesOfDay(seed)) types.add(type);
  }
  expect(types).toEqual(new Set(TYPES));
});

test('company_id is that of the record, of a company its own id (Part 4, 4.2)', async () => {
  const { director: token, directorId, companyId, branch } = await newFamilyWithBranch();
  const actor = directorAs(directorId, companyId);
  const stock = await newWarehouse(token, 'Branch', { company_id: branch });
  expect(await readEntry(actor, { type: 'stock.stock', id: stock })).toMatchObject({ companyId: branch });
  expect(await readEntry(actor, { type: 'company.company', id: branch })).toMatchObject({
    companyId: branch,
  });
});
