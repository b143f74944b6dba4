import { afterAll, expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { correctTender } from '#lib/trade/sale-tender/correct.ts';
import { SALE_TENDER } from '#lib/trade/sale-tender/record.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { newWaterShop, sellBy } from '#tests/support/sale-tenders.ts';
import type { AnswerWrites } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newWaterShop();
const actor = directorAs(shop.directorId, shop.companyId);
const tenant = familyTenant(shop.companyId);

/** Reads the desk's cash and cards, in sums, and the number of corrections. */
async function standing() {
  const { cash_uzs, card_uzs } = DeskMoney.parse(await getItem(deskMoneyKey(tenant, shop.cashboxId)));
  return [cash_uzs / 100, card_uzs / 100, (await wholePartition(partition(SALE_TENDER, tenant))).length];
}

testMovements(
  proxy,
  {
    'a correction of payment types': {
      prepare: () => sellBy(shop, { card: 10 }),
      run: (id: number, saveResponse: AnswerWrites) => {
        const transactions = [
          { payment_type: 'cash', amount: 700 } as const,
          { payment_type: 'card', amount: 300 } as const,
        ];
        return correctTender(actor, { id, transactions }, Date.now(), saveResponse);
      },
      change: [7, 3, 1],
    },
  },
  standing,
  3,
);

test('after all that the books add up (Part 5, 5.0 (6))', async () => {
  const { violations } = await readBooksOf(shop.companyId);
  expect(violations).toEqual([]);
});
