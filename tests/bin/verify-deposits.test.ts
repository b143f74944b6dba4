import { expect, test } from 'vitest';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { plantInTest, violationsOf } from '#tests/support/books.ts';
import { payDebt } from '#tests/support/debts.ts';
import { newDepositor, sellWater } from '#tests/support/deposits.ts';

/** Goods of test support have no goods receipt. */
test('verify finds a deposit, an entry, a debt and a sale that do not add up (Part 5, 5A.6)', async () => {
  const shop = await newDepositor(100);
  const sale = (await sellWater(shop, 40, { deposit: 30, debt: 10 })).number('id');
  const [paid] = await payDebt(shop, shop.client, { deposit: 10 });
  const tenant = familyTenant(shop.companyId);
  expect(await violationsOf(shop.companyId)).toEqual([]);

  await plantInTest(clientBalancesKey(tenant, shop.client), { deposit_uzs: 6100 });
  expect(await violationsOf(shop.companyId)).toContain(
    'clients: has a deposit of 6100 uzs, its entries 6000',
  );
  await plantInTest(clientBalancesKey(tenant, shop.client), { deposit_uzs: 6000 });

  await plantInTest(recordKey(deposits.type, tenant, 2), { source_id: 99 });
  expect(await violationsOf(shop.companyId)).toEqual(
    expect.arrayContaining([
      'deposits: changes a deposit by 3000 more in its entries than it says',
      'deposits: changes a deposit by -3000 more in its entries than it says',
    ]),
  );
  await plantInTest(recordKey(deposits.type, tenant, 2), { source_id: sale });

  await plantInTest(recordKey(debts.type, tenant, paid?.debt_id ?? 0), { repaid_by_deposit: 900 });
  expect(await violationsOf(shop.companyId)).toContain(
    'debt payments: says that -100 more is repaid than its payments come to',
  );
  await plantInTest(recordKey(debts.type, tenant, paid?.debt_id ?? 0), { repaid_by_deposit: 1000 });

  await plantInTest(recordKey(sales.type, tenant, sale), { purse: [null, [], 500] });
  expect(await violationsOf(shop.companyId)).toContain(
    'sales: keeps 500 of the deposit that paid it, of 3000',
  );
});
