import { expect, test } from 'vitest';
import { daysLeft, orderQuantity } from '#lib/reports/reorder/needs.ts';

const ONE = 100_000_000;

interface Case {
  readonly free?: number;
  readonly coming?: number;
  readonly sold?: number;
  readonly min?: number | null;
  readonly days?: number;
  readonly cover_days?: number;
  readonly accuracy?: number;
}

function units(pieces: number): bigint {
  return BigInt(Math.round(pieces * ONE));
}

function needsOf({
  free = 0,
  coming = 0,
  sold = 0,
  min = null,
  days = 28,
  cover_days = 14,
  accuracy = 0,
}: Case) {
  const goods = { free: units(free), coming: units(coming), sold: units(sold) };
  const supply = { ...goods, min: min === null ? null : min * ONE };
  const order = orderQuantity(supply, { days, cover_days }, accuracy);
  return [daysLeft(supply, { days, cover_days }), Number(order) / ONE];
}

test.each<[Case, number | null, number]>([
  [{}, null, 0],
  [{ min: 5 }, null, 5],
  [{ min: 5, free: 2, coming: 1 }, null, 2],
  [{ min: 5, free: 4, coming: 2 }, null, 0],
  [{ sold: 28, free: 10 }, 10, 4],
  [{ sold: 28, free: 10, coming: 4 }, 10, 0],
  [{ sold: 28, free: 10, coming: 20, min: 100 }, 10, 84],
  [{ sold: 1, days: 3, cover_days: 1 }, 0, 1],
  [{ sold: 1, days: 3, cover_days: 1, accuracy: 3 }, 0, 0.334],
  [{ sold: 1, days: 3, cover_days: 1, accuracy: 8 }, 0, 0.33333334],
  [{ sold: 3, days: 3, cover_days: 1 }, 0, 1],
  [{ sold: 3, free: 1, days: 1, cover_days: 1 }, 0.3, 2],
  [{ sold: 8, free: 1, days: 2, cover_days: 1 }, 0.3, 3],
  [{ sold: -4, free: 1, days: 2, cover_days: 1, min: 5 }, null, 2],
])(
  'of %o free goods last %s days, and %s are ordered, up to the accuracy (Part 5, 5A.10 (1))',
  (given, left, order) => {
    expect(needsOf(given)).toEqual([left, order]);
  },
);
