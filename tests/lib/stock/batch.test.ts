import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, mergeEqual, placeParts, takeOldest, without } from '#lib/stock/batch.ts';
import { type BatchPart, newest } from '#lib/stock/batch-part.ts';

const line = fc.record({
  cost: fc.constantFrom(1, 2, 3),
  currency: fc.constantFrom('uzs' as const, 'usd' as const),
  left: fc.integer({ min: 1, max: 9 }),
  day: fc.integer({ min: 1, max: 5 }),
});

function withParts(batches: readonly Batch[], parts: readonly BatchPart[]): Batch[] {
  return placeParts(batches, parts).batches;
}

/** Goods of goods receipts, a batch to a line. */
const receipts = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) =>
  withParts(
    [],
    lines.map(({ cost, currency, left, day }, index) => ({
      id: index + 1,
      cost,
      currency,
      at: day,
      quantity: left,
    })),
  ),
);

type Step = 'back' | 'merge' | { readonly take: number };

const step = fc.oneof(
  fc.record({ take: fc.integer({ min: 1, max: 40 }) }),
  fc.constantFrom<Step>('back', 'merge'),
);

const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 20 });

/** Sums the remaining quantity of each cost. */
function byCost(batches: readonly Batch[]) {
  const sums: Record<string, number> = {};
  for (const { cost, currency, left } of batches) {
    sums[`${cost} ${currency}`] = (sums[`${cost} ${currency}`] ?? 0) + left;
  }
  return sums;
}

function run(from: readonly Batch[], story: readonly Step[]) {
  let batches = from;
  const taken: (readonly BatchPart[])[] = [];
  for (const step of story) {
    if (step === 'merge') batches = mergeEqual(batches);
    else if (step === 'back') batches = withParts(batches, taken.pop() ?? []);
    else {
      const parts = takeOldest(batches, step.take) ?? [];
      batches = without(batches, parts);
      taken.push(parts);
    }
  }
  return { batches, taken };
}

test('merged in between or not, goods that went and came back leave the same of every cost', () => {
  fc.assert(
    fc.property(receipts, steps, (from, story) => {
      const { batches, taken } = run(from, story);
      expect(byCost(taken.reduceRight<readonly Batch[]>(withParts, batches))).toEqual(byCost(from));
      const ages = batches.map(({ at }) => at);
      expect(ages).toEqual(ages.toSorted((a, b) => a - b));
      expect(new Set(batches.map(({ id }) => id)).size).toBe(batches.length);
    }),
  );
});

test('a batch under a line’s own id never has goods of another', () => {
  fc.assert(
    fc.property(receipts, steps, (from, story) => {
      const came = new Map(from.map((batch) => [batch.id, batch]));
      for (const { id, left, ...origin } of run(from, story).batches) {
        const own = came.get(Math.abs(id));
        expect({ cost: own?.cost, currency: own?.currency, at: own?.at }).toEqual(origin);
        if (id > 0) expect(left).toBeLessThanOrEqual(own?.left ?? 0);
      }
    }),
  );
});

test('merging leaves one batch of a cost, as old as the oldest of it', () => {
  fc.assert(
    fc.property(receipts, (from) => {
      const merged = mergeEqual(from);
      expect(merged).toHaveLength(Object.keys(byCost(from)).length);
      expect(byCost(merged)).toEqual(byCost(from));
      for (const { cost, currency, at } of merged) {
        const equal = from.filter((each) => each.cost === cost && each.currency === currency);
        expect(at).toBe(Math.min(...equal.map((each) => each.at)));
      }
      expect(mergeEqual(merged)).toEqual(merged);
    }),
  );
});

test('the newest goods are those that came last, by the last line', () => {
  fc.assert(
    fc.property(receipts, (from) => {
      const at = Math.max(...from.map((batch) => batch.at));
      const id = Math.max(...from.filter((batch) => batch.at === at).map((batch) => batch.id));
      expect(newest(from)).toMatchObject({ id, at });
    }),
  );
  expect(newest([])).toBeUndefined();
});
