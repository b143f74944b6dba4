import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, placeParts, takeOldest } from '#lib/stock/batch.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import { costOf } from '#lib/trade/sale/goods.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';

const rate = fc.constantFrom(1, 3, 100, 13_500, 1_265_000, 1_370_001);
const units = fc.integer({ min: 1, max: 10 * ONE });

/** Computes what a whole batch is worth, rounded once. */
function worthOf({ cost, left }: Batch, from: number, to: number): number {
  const [dividend, divisor] = [BigInt(cost) * BigInt(left) * BigInt(from), BigInt(to) * BigInt(ONE)];
  return Number((dividend * 2n + divisor) / (divisor * 2n));
}

/** A batch that goods are taken from and put back into, and the cost of the missing ones so far. */
class Story {
  readonly taken: BatchPart[] = [];
  readonly from: number;
  readonly to: number;
  batch: Batch;
  spent = 0;

  constructor(batch: Batch, from: number, to: number) {
    this.batch = batch;
    this.from = from;
    this.to = to;
  }

  take(quantity: number): void {
    for (const part of takeOldest([this.batch], Math.min(quantity, this.batch.left)) ?? []) {
      const paid = costOf(part, this.from, this.to) ?? -1;
      expect(paid).toBeGreaterThanOrEqual(0);
      this.spent += paid;
      this.batch = { ...this.batch, left: part.left };
      this.taken.push(part);
    }
  }

  putBack(): void {
    const part = this.taken.pop();
    if (!part) return;
    this.spent -= costOf({ ...part, left: this.batch.left }, this.from, this.to) ?? 0;
    this.batch = placeParts([this.batch], [part]).batches[0] ?? this.batch;
  }
}

test('whatever is taken from a batch and put back, its parts and its rest cost what the whole does', () => {
  fc.assert(
    fc.property(
      fc.record({ cost: fc.integer({ min: 0, max: 1e9 }), left: units, from: rate, to: rate }),
      fc.array(fc.record({ quantity: units, isBack: fc.boolean() }), { maxLength: 30 }),
      ({ cost, left, from, to }, steps) => {
        const whole: Batch = { id: 1, cost, currency: 'usd', at: 0, left };
        // No sale costs more: takeGoods refuses it.
        fc.pre(worthOf(whole, from, to) <= MAX_AMOUNT);
        const story = new Story(whole, from, to);
        for (const { quantity, isBack } of steps) {
          if (isBack) story.putBack();
          else story.take(quantity);
        }
        expect(story.spent + worthOf(story.batch, from, to)).toBe(worthOf(whole, from, to));
      },
    ),
  );
});

test('goods bought in a currency without a rate have no cost, and have none in such a currency either', () => {
  const part = { id: 1, cost: 100, currency: 'usd', at: 0, quantity: ONE, left: 0 } as const;
  expect([costOf(part, 0, 100), costOf(part, 100, 0), costOf(part, 0, 0)]).toEqual(Array(3).fill(undefined));
});
