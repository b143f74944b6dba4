import { afterAll, expect, test } from 'vitest';
import * as clients from '#lib/clients/client.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { newWater } from '#tests/support/debts.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const water = await newWater(shop);
const actor = directorAs(shop.directorId, shop.companyId);
let phones = 998_900_000_000;

const owedBy = async (client: number) => {
  const { debt_left, debt_limits } = await clients.get(actor, client, [], Date.now());
  return (debt_limits.uzs ?? 0) - (debt_left?.uzs ?? 0);
};

const lend = (client: number) => SaleInput.parse(onDebt(shop, client, water, 10, 10));

/** Sells ten on debt to a client with that limit. */
testDisrupted(proxy, 5, async () => ({
  prepare: async () => {
    const main_phone = String(++phones);
    const client = await addClient(shop, main_phone);
    const json = { full_name: 'Aziz', main_phone, debt_limits: { uzs: 10 } };
    await call(`PUT /company/client/client/${client}`, { token: shop.director, json });
    return client;
  },
  run: (client, saveResponse) => sell(actor, lend(client), Date.now(), { saveResponse }),
  undone: async (client) => expect(await owedBy(client)).toBe(0),
  check: async (client) => {
    expect(await owedBy(client)).toBe(1000);
    const again = sell(actor, lend(client), Date.now(), { saveResponse: nothing });
    await expect(again).rejects.toMatchObject({ status: 422 });
  },
}));

test('after all that the books are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
