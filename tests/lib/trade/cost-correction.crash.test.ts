import { afterAll, expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { correctCosts } from '#lib/trade/cost-correction/correct.ts';
import { costCorrections } from '#lib/trade/goods-receipt/cost-correction.ts';
import { newSuppliedShop, receiptAmountOf, worthInStock } from '#tests/support/cost-corrections.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import type { AnswerWrites } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newSuppliedShop(1);
const actor = directorAs(shop.directorId, shop.companyId);

/** Raises the cost of a piece by one sum, from that of the latest correction. */
async function raise(cost: number, saveResponse: AnswerWrites) {
  const products = [{ id: shop.lines[0] ?? 0, cost }];
  return correctCosts(actor, { id: shop.receiptId, products, comment: 'Опечатка' }, AT, saveResponse);
}

/** Reads the receipt's amount, the worth of the goods, and the number of corrections. */
async function standing() {
  const corrections = await wholePartition(partition(costCorrections.type, familyTenant(shop.companyId)));
  return [await receiptAmountOf(shop), await worthInStock(shop), corrections.length];
}

testMovements(
  proxy,
  {
    'a correction': {
      prepare: async () => (await receiptAmountOf(shop)) / 10 + 100,
      run: raise,
      change: [1000, 1000, 1],
    },
  },
  standing,
  3,
);

test('after all that the books add up (Part 5, 5.0 (6))', async () => {
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
});
