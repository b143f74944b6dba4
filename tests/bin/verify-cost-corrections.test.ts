import { expect, test } from 'vitest';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { documentRef } from '#lib/trade/document/lines.ts';
import { CostCorrectionLine, costCorrections } from '#lib/trade/goods-receipt/cost-correction.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { dropInTest, faultsOf, plantInTest } from '#tests/support/books.ts';
import { correct, newSuppliedShop } from '#tests/support/cost-corrections.ts';
import { sellFor } from '#tests/support/returns.ts';
import { supplierOperationsOf } from '#tests/support/write-offs.ts';

const shop = await newSuppliedShop(2);
await sellFor(shop, {
  products: [{ product_id: shop.goods[0], sold_quantity: 3 }],
  transactions: [{ payment_type: 'cash', amount: 15_000 }],
});
const correction = (await correct(shop, [2.5, 3])).number('id');
expect((await correct(shop, [2.25])).status).toBe(200);

const tenant = familyTenant(shop.companyId);
const operations = await supplierOperationsOf(shop.token, shop.supplierId);
const ofReceipt = recordKey(goodsReceipts.type, tenant, shop.receiptId);
const ofCorrection = recordKey(costCorrections.type, tenant, correction);

/** Overwrites fields of the first line of the correction. */
async function setLine(change: Partial<CostCorrectionLine>): Promise<void> {
  const ref = documentRef(costCorrections, tenant, correction);
  const [first, ...others] = await readLines(CostCorrectionLine, ref, 2);
  for (const write of lineWrites(ref, [{ ...first, ...change }, ...others])) {
    if (write.change.kind === 'put') await plantInTest(write.key, write.change.item);
  }
}

test('the books of a shop with corrected costs add up (Part 5, 5A.4)', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});

test.each<[string, string, () => Promise<void>]>([
  [
    'a correction that comes to something else than its lines',
    `correction ${correction} has amount 1, its lines 1500`,
    () => plantInTest(ofCorrection, { amount: 1 }),
  ],
  [
    'one whose goods that are gone come to something else than its lines',
    `correction ${correction} has gone_amount 1, its lines 150`,
    () => plantInTest(ofCorrection, { gone_amount: 1 }),
  ],
  [
    'a line whose amount is not the difference of its costs',
    'has 499, its costs differ by 500',
    () => setLine({ amount: 499 }),
  ],
  [
    'a line that finds more goods than it received',
    'has more goods than it received',
    () => setLine({ remaining_quantity: 11 * ONE }),
  ],
  [
    'a line that reports something else than its document',
    `correction ${correction} has report_amount 150, its lines 151`,
    () => setLine({ report_amount: 151 }),
  ],
  [
    'a canceled receipt whose reports keep what its corrections counted as gone',
    `receipt ${shop.receiptId} is canceled, though correction ${correction} counted goods as gone`,
    () => plantInTest(ofReceipt, { status: 'canceled' }),
  ],
  [
    'a lost correction',
    'cost_correction 1 is of a document that does not tell of it',
    () => dropInTest(ofCorrection),
  ],
  [
    'a receipt that kept its former cost',
    `receipt ${shop.receiptId} comes to 4000, its lines to 5250`,
    () => plantInTest(ofReceipt, { amount: 40_00 }),
  ],
  [
    'an operation of the supplier that is gone',
    `receipt ${shop.receiptId} has no operation of its supplier`,
    () => dropInTest(recordKey(supplierOperations.type, tenant, operations[1]?.id ?? 0)),
  ],
])('%s is found', async (_, said, damage) => {
  await damage();
  expect(await faultsOf(shop)).toContainEqual(expect.stringContaining(said));
});
