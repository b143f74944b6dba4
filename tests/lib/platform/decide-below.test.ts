import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideBelow } from '#lib/platform/notices/decide-below.ts';

const HOUR_MS = 3_600_000;

const cards = (ids: readonly number[]) => ids.map((id) => ({ id }));

const few = fc.uniqueArray(fc.integer({ min: 1, max: 12 }));

test('a look at what has changed finds what a look at everything finds (Part 5, 5B.11)', () => {
  fc.assert(
    fc.property(few, few, few, (products, isBelow, others) => {
      const changed = new Set(
        [...products, ...isBelow].filter((id) => products.includes(id) !== isBelow.includes(id)),
      );
      const ids = new Set([...changed, ...others]);
      const before = { products: products.toSorted((a, b) => a - b), notified_at: 0 };
      const of = cards(isBelow.filter((id) => ids.has(id)));
      const whole = decideBelow(before, { ids: undefined, cards: cards(isBelow) }, HOUR_MS);
      expect(decideBelow(before, { ids, cards: of }, HOUR_MS)).toEqual(whole);
    }),
  );
});

test('new ones wait in the hour of a notification, and gone ones do not (Part 5, 5B.11)', () => {
  const before = { products: [1, 2], notified_at: HOUR_MS };
  const look = (ids: readonly number[], at: number) =>
    decideBelow(before, { ids: undefined, cards: cards(ids) }, at);
  expect(look([1, 2, 3], 2 * HOUR_MS - 1)).toBe('later');
  expect(look([1, 2], 2 * HOUR_MS - 1)).toBe('same');
  expect(look([2], 2 * HOUR_MS - 1)).toEqual({ ids: [2], fresh: [], notified_at: HOUR_MS });
  expect(look([2, 3], 2 * HOUR_MS)).toEqual({ ids: [2, 3], fresh: [{ id: 3 }], notified_at: 2 * HOUR_MS });
});
