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
import { correct, newSuppliedShop } from '#tests/support/cost-corrections.ts';
import { newEveryKind } from '#tests/support/every-kind.ts';
import { directorAs, newFamilyWithBranch } from '#tests/support/family.ts';
import { make } from '#tests/support/records.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { TYPES } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const PEOPLE = 3;
const STEPS_EACH = 30;

const SEED = 7;

/** Creates a family with records of most types. */
async function newWholeDay() {
  const day = await newDay(PEOPLE);
  const { companyId } = day;
  const { token } = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const name = { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' };
  const specification_id = await make('/company/product/specification', token, { name });
  await make('/company/product/option', token, { specification_id, name: 'Oq' });
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  await make('/company/product/service', token, { service_unit_id, name: 'Yetkazish', price: 100 });
  const steps = fc.sample(anyStep, { seed: SEED, numRuns: PEOPLE * STEPS_EACH });
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

/** Compares records of a day for its directors and an employee. */
async function expectDayAsCopied() {
  const day = await newWholeDay();
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
  await expectAsCopied(directorAs(id, companyId), [ofBranch, employee]);
}

test('of every type, reach and revision are those of the copy (Part 4, 4.2 (1), (4))', async () => {
  const shop = await newEveryKind();
  const director = directorAs(shop.directorId, shop.companyId);
  const nowhere: Staff = { ...director, companies: [shop.companyId], cashDesks: [], warehouses: [] };
  const types = await expectAsCopied(director, [nowhere]);
  const supplied = await newSuppliedShop(1);
  expect((await correct(supplied, [3])).status).toBe(200);
  const corrected = await expectAsCopied(directorAs(supplied.directorId, supplied.companyId), []);
  expect(new Set([...types, ...corrected])).toEqual(new Set(TYPES));
  await expectDayAsCopied();
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
