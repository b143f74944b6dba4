import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { waitWrite } from '#lib/cash/desk/waiting.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { refusedSales } from '#lib/trade/refused/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { offlineSaleBody, refuseOne, sendOfflineSales } from '#tests/support/offline.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

test('keys and refused sales add up, and a fault in either is found', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'first')]);
  const id = await refuseOne(shop, product, 'kept');
  await refuseOne(shop, product, 'later');
  await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'later')]);
  const faults = async () => {
    const { violations } = await readBooks(shop.companyId);
    const own = violations.filter(({ book, what }) => book === 'refused sales' || what.includes('key'));
    return own.map(({ subject, what }) => `${subject} ${what}`);
  };
  expect(await faults()).toEqual([]);

  const set = (type: string, record: number, fields: object) =>
    transact([update(recordKey(type, tenant, record), { set: { ...fields } })]);
  await set(sales.type, 1, { key: 'kept' });
  await set(refusedSales.type, id, { status: 'sold' });
  await transact([waitWrite(tenant, shop.cashboxId)]);
  expect(await faults()).toEqual([
    'sale 1 has the key kept, which is claimed by something else',
    `refused sale ${id} is sold, and its key kept is not`,
    `refused sale ${id} is sold, and its sale is null`,
    `desk ${shop.cashboxId} says that 2 refused sales wait, and 0 do`,
  ]);
});
