import { expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { changeMoney } from '#lib/cash/desk/movement.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { Contention, transact } from '#lib/table/transaction/transact.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { call } from '#tests/support/http.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

async function moneyOf({ companyId, cashboxId }: Shop) {
  return DeskMoney.parse(await getItem(deskMoneyKey(familyTenant(companyId), cashboxId)));
}

test('money that came in and went out again since a desk was read is not overlooked (Contract 9.43)', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const seen = await moneyOf(shop);
  for (const change of [100, -100]) {
    const before = await moneyOf(shop);
    const after = changeMoney(before, CASH, change) ?? before;
    await transact([
      deskMoneyWrite(tenant, { id: shop.cashboxId, company_id: shop.companyId, money: before }, after),
    ]);
  }
  expect({ ...(await moneyOf(shop)), version: 0 }).toEqual({ ...seen, version: 0 });
  const late = deskMoneyWrite(tenant, { id: shop.cashboxId, company_id: shop.companyId, money: seen }, seen);
  await expect(transact([late])).rejects.toBeInstanceOf(Contention);
});

test('a sale without money counts in its desk’s day like any other', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const before = await moneyOf(shop);
  const json = onDebt(shop, await addClient(shop), id, 5000);
  expect((await call('POST /company/trade/sale', { token: shop.director, json })).status).toBe(200);
  expect(await moneyOf(shop)).toEqual({ ...before, version: before.version + 1 });
});
