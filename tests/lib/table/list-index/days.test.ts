import { expect, test } from 'vitest';
import { addDays, Days, idsInDayRange, MAX_RUNS } from '#lib/table/list-index/days.ts';

const TODAY = 20_780;

/** Maximum size of a DynamoDB item, less its key and version. */
const MAX_BYTES = 400_000;

const FIRST_ID = 1_000_000_000;
const STEP = 300;

/** Returns the days of sales, every third of which is an offline sale of another day than its neighbours. */
function daysWith(late: number) {
  return Array.from({ length: 3 * late }, (_, index) => ({
    id: FIRST_ID + STEP * index,
    day: index % 3 === 1 ? TODAY - 1 - (index % 31) : TODAY,
  }));
}

test('the days of tens of thousands of lone late sales are kept, in one item', () => {
  const days = daysWith(MAX_RUNS / 2 - 1);
  const runs = addDays([], 0, days);
  const encoded = Days.encode({ version: 1, ...(runs && { runs }) });
  expect(Object(encoded.runs).length).toBeLessThan(MAX_BYTES);
  const { runs: kept = [] } = Days.parse(encoded);
  const upto = days.at(-1)?.id ?? 0;
  for (const day of [TODAY, TODAY - 1, TODAY - 17]) {
    const ranges = idsInDayRange(kept, { from: day, to: day }, upto);
    const found = ranges.flatMap(({ from, to }) =>
      days.slice(Math.ceil((from - FIRST_ID) / STEP), Math.floor((to - FIRST_ID) / STEP) + 1),
    );
    expect(found.length).toBe(days.filter((each) => each.day === day).length);
    expect(found.every((each) => each.day === day)).toBe(true);
  }
});

test('days that have nothing to do with ids are not kept', () => {
  expect(addDays([], 0, daysWith(MAX_RUNS / 2 + 1))).toBeUndefined();
});
