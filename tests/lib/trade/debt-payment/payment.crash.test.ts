import { afterAll, expect, test } from 'vitest';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, paying } from '#tests/support/debts.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
const actor = directorAs(shop.directorId, shop.companyId);

/** Pays 25 of two debts of 10 and 20, in two ways. */
async function pay(saveResponse: AnswerWrites = nothing) {
  const body = DebtPaymentInput.parse(paying(shop, client, { cash: 5, card: 20 }));
  const { data } = await payDebts(actor, body, Date.now(), saveResponse);
  return data[0]?.id ?? 0;
}

async function owed(): Promise<number[]> {
  const sums = await getItem(clientBalancesKey(familyTenant(shop.companyId), client));
  return [ClientBalances.parse(sums).debt_uzs / 100];
}

const lendTwice = async () => {
  await lend(shop, { client, water, amount: 10 });
  await lend(shop, { client, water, amount: 20 });
};

/** Operations, each with the change of the debt made by every execution. */
const operations = {
  'a payment': {
    prepare: async () => {
      await lendTwice();
      return 0;
    },
    run: (_: number, saveResponse: AnswerWrites) => pay(saveResponse),
    change: [10 + 20 - 25],
  },
  'a refund': {
    prepare: async () => {
      await lendTwice();
      return pay();
    },
    run: (id: number, saveResponse: AnswerWrites) => refund(actor, id, Date.now(), saveResponse),
    change: [10 + 20 - 20],
  },
};

testMovements(proxy, operations, owed, 4);

test('after all that the books of debts, payments and desks are right', async () => {
  const { violations, counts } = await readBooksOf(shop.companyId);
  expect(violations).toEqual([]);
  expect(counts.get('debts without an open debt')).toBeUndefined();
  expect(counts.get('debt payments')).toBeGreaterThan(40);
});
