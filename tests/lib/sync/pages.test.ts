import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { SyncQuery, SyncResponse, sync } from '#lib/sync/sync.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { newLongDocuments } from '#tests/support/long-documents.ts';
import { writeRows } from '#tests/support/rows.ts';
import { newCards } from '#tests/support/stock.ts';
import { newDepot } from '#tests/support/write-offs.ts';

const MAX_BYTES = 4_000_000;

const Entry = z.looseObject({
  id: z.int(),
  record: z.looseObject({ products: z.array(z.looseObject({})).nullable(), products_count: z.int() }),
});

test('a page ends before 4 MB, and nothing is left out by that', async () => {
  const counts = Array.from({ length: 9 }, () => 440);
  const { actor, first } = await newLongDocuments(counts);
  const ids: number[] = [];
  let pages = 0;
  for (let query: object = { types: ['trade.writeoff'] }, isMore = true; isMore; pages++) {
    const page = await sync({ actor, query: SyncQuery.parse(query), at: Date.now(), locale: 'ru' });
    expect(Buffer.byteLength(JSON.stringify(SyncResponse.parse(page)))).toBeLessThan(MAX_BYTES);
    for (const { id, record } of page.data.map((entry) => Entry.parse(entry))) {
      ids.push(id);
      expect(record.products).toHaveLength(record.products_count);
    }
    [query, isMore] = [{ cursor: page.cursor }, page.has_more];
  }
  // A record created a moment ago may come once more, among the changes.
  expect([...new Set(ids)]).toEqual([first, ...counts.map((_, index) => first + 1 + index)]);
  expect(pages).toBeGreaterThan(3);
});

test('lines over 1 MB are left out: products is null, and lines_left_out true', async () => {
  const { actor, first } = await newLongDocuments([490, 480, 500]);
  const query = SyncQuery.parse({ types: ['trade.writeoff'] });
  const { data } = await sync({ actor, query, at: Date.now(), locale: 'ru' });
  const records = data.map((entry) => Entry.parse(entry).record);
  expect(records.map(({ id, products, lines_left_out }) => [id, products?.length, lines_left_out])).toEqual([
    [first, 1, undefined],
    [first + 1, undefined, true],
    [first + 2, undefined, true],
    [first + 3, undefined, true],
  ]);
});

test('a page has 200 entries unless the caller says otherwise', async () => {
  const depot = await newDepot(1);
  for (const count of [70, 70, 70]) await newCards(depot, count);
  const actor = directorAs(depot.directorId, depot.companyId);
  const lengthOf = async (asked: object) => {
    const query = SyncQuery.parse({ types: ['product.product'], ...asked });
    return (await sync({ actor, query, at: Date.now(), locale: 'ru' })).data.length;
  };
  expect([await lengthOf({}), await lengthOf({ limit: 5 }), await lengthOf({ limit: 500 })]).toEqual([
    200, 5, 211,
  ]);
});

/** Reads pages until one has entries. */
async function untilSome(actor: Staff, types: readonly SyncType[]) {
  const pages: { readonly length: number; readonly trips: number }[] = [];
  for (let query: object = { types }; (pages.at(-1)?.length ?? 0) === 0; ) {
    const meter = newMeter();
    const asked = SyncQuery.parse(query);
    const page = await runInContext({ meter }, () =>
      sync({ actor, query: asked, at: Date.now(), locale: 'ru' }),
    );
    const reading = { ...meter, calls: meter.calls.filter(({ isWrite }) => !isWrite) };
    pages.push({ length: page.data.length, trips: roundTripsOf(reading) });
    query = { cursor: page.cursor };
  }
  return pages;
}

test('who reaches few of a type is given no empty page before ten thousand of it were looked at (Part 4, 4.1 (5))', async () => {
  const { directorId, companyId } = await newFamily();
  const source = { type: 'posting', tenant: familyTenant(companyId) };
  // The last ten are of the caller's desk.
  const rows = Array.from({ length: 3010 }, (_, index) => {
    const fields = { company_id: companyId, cashbox_id: index < 3000 ? 2 : 1, version: 1 };
    return { id: index + 1, created_at: index, ...fields };
  });
  await writeRows(source, rows);
  const actor = { ...directorAs(directorId, companyId), cashDesks: [1] };
  const small = ['trade.sale', 'trade.hold', 'trade.writeoff'] as const;
  for (const types of [[], small, [...small, 'trade.purchase', 'trade.transfer'] as const]) {
    const pages = await untilSome(actor, [...types, 'cashbox.transfer']);
    expect(pages.at(-1)?.length).toBe(10);
    // A page begins four types: the earlier ones are empty.
    expect(pages).toHaveLength(types.length < 4 ? 1 : 2);
    for (const { trips } of pages) expect(trips).toBeLessThanOrEqual(4);
  }
});
