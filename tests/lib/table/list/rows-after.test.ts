import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equals } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { rowsAfter } from '#lib/table/list/rows-after.ts';
import { idOf } from '#lib/table/read/ranges.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';

const ROWS = 2500;

/** Pages of a walk, which begins anywhere: small ones would be thousands until the end. */
const PAGES = 25;

/** Rows of which one in fifty is of company 1, with a gap in their ids. */
const rows = Array.from({ length: ROWS }, (_, index) => ({
  id: index < 1200 ? index + 1 : index + 4000,
  created_at: 0,
  company_id: index % 50 === 7 ? 1 : 2,
  name: '',
  is_deleted: false,
  comment: 'x'.repeat(500),
}));

async function newPartition(): Promise<string> {
  const source = newSource();
  await writeRows(source, rows);
  return partition(source.type, source.tenant);
}

test('rows after an id come once and in order, in one round trip, however many are looked at', async () => {
  const pk = await newPartition();
  const whole = await rowsAfter(pk, { where: [], after: 0, max: 1000, looked: 10_000 });
  expect(whole.rows).toHaveLength(1000);
  const asked = fc.record({
    begin: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: ROWS + 4000 })),
    max: fc.integer({ min: 1, max: 500 }),
    looked: fc.integer({ min: 1, max: 10_000 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, fc.boolean(), async ({ begin, max, looked: begun }, isNarrow) => {
      const where = isNarrow ? [equals('company_id', 1)] : [];
      const right = rows.filter(({ company_id }) => !isNarrow || company_id === 1).map(idOf);
      const ids: number[] = [];
      let [after, looked]: [number | undefined, number] = [begin, begun];
      for (let page = 0; after !== undefined && page < PAGES; page++) {
        const meter = newMeter();
        const from: number = after;
        const found = await runInContext({ meter }, () => rowsAfter(pk, { where, after: from, max, looked }));
        expect(roundTripsOf(meter)).toBe(1);
        expect(found.rows.length).toBeLessThanOrEqual(max);
        ids.push(...found.rows.map(idOf));
        if (found.reached !== undefined) expect(found.reached).toBeGreaterThan(from);
        [after, looked] = [found.reached, found.likely];
      }
      const last = after ?? Number.POSITIVE_INFINITY;
      expect(ids).toEqual(right.filter((id) => id > begin && id <= last));
    }),
    { numRuns: 16 },
  );
});

test('who finds few looks at more for the next page, up to ten thousand', async () => {
  const pk = await newPartition();
  const where = [equals('company_id', 1)];
  const first = await rowsAfter(pk, { where, after: 0, max: 40, looked: 1000 });
  expect([first.rows.length, first.likely]).toEqual([20, 2000]);
  const none = await rowsAfter(pk, { where: [equals('company_id', 3)], after: 0, max: 200, looked: 1000 });
  expect([none.rows, none.likely]).toEqual([[], 10_000]);
});
