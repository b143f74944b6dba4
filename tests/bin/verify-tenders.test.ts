import { expect, test } from 'vitest';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { SALE_TENDER } from '#lib/trade/sale-tender/record.ts';
import { faultsOf, plantInTest } from '#tests/support/books.ts';
import { correctTo, newWaterShop, sellBy } from '#tests/support/sale-tenders.ts';

const shop = await newWaterShop();
const sale = await sellBy(shop, { cash: 100 });
for (const sums of [{ card: 100 }, { cash: 30, card: 70 }]) await correctTo(shop, sale, sums);

const tenant = familyTenant(shop.companyId);
const card = (amount: number) => [{ payment_type: 'card', amount }];

test('the books of a shop with corrected cheques add up', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});

test('a correction that moved something else is found, and a report that counts it', async () => {
  await plantInTest(recordKey(SALE_TENDER, tenant, 1), { after: card(99_00) });
  const faults = await faultsOf(shop);
  expect(faults).toContainEqual(expect.stringContaining('correction of payment types 1 has not moved card'));
  expect(faults).toContainEqual(expect.stringContaining(`sale ${sale} is not paid as its corrections say`));
});

test('a cheque that is paid otherwise than its corrections say is found', async () => {
  const paid = { currency: 'uzs', debt_id: null, transfer_id: 1 };
  const transactions = [{ ...paid, payment_type: 'bank', amount: 100_00, counted_amount: 100_00 }];
  await plantInTest(recordKey(sales.type, tenant, sale), { transactions });
  expect(await faultsOf(shop)).toEqual([`sales: sale ${sale} is not paid as its corrections say`]);
});

test('a correction that is lost leaves its transfers and its sums', async () => {
  await plantInTest(recordKey(SALE_TENDER, tenant, 2), { sale_id: 999 });
  const faults = await faultsOf(shop);
  expect(faults).toContainEqual(expect.stringContaining(`sale ${sale} is not paid as its corrections say`));
});
