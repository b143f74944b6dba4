import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { make } from './records.ts';
import { type Shop, saleBody } from './shop.ts';

/** Credits a client with bonuses or a debt without a document, in 1/100. */
export async function addToClient(
  { companyId }: Shop,
  clientId: number,
  add: Record<string, number>,
): Promise<void> {
  await transact([update(clientBalancesKey(familyTenant(companyId), clientId), { add })]);
}

/** Creates a client of the shop's family. */
export function addClient({ director }: Shop, main_phone = '998901112233'): Promise<number> {
  return make('/company/client/client', director, { full_name: 'Aziz', main_phone });
}

/** Creates a client of the shop's family who earns a percentage of payments. */
export async function newClientWithTariff({ director }: Shop, percent: number): Promise<number> {
  const name = `${percent} %`;
  const bonus_tariff_id = await make('/company/client/bonus-tariff', director, { name, percent });
  const client = { full_name: 'Dilnoza', main_phone: '998905554433', bonus_tariff_id };
  return make('/company/client/client', director, client);
}

/** Credits a client with spendable bonuses, in 1/100 of sums. */
export async function giveBonuses({ companyId }: Shop, clientId: number, spendable: number): Promise<void> {
  const set = { bonuses: { uzs: { spendable, waiting: {} } } };
  await transact([update(clientBalancesKey(familyTenant(companyId), clientId), { set })]);
}

/** Builds the body of a sale of one product on debt. */
export function onDebt(
  shop: Shop,
  client_id: number,
  product_id: number,
  amount: number,
  sold_quantity = 1,
): object {
  return saleBody(shop, {
    client_id,
    due_date: '2099-01-31',
    products: [{ product_id, sold_quantity }],
    transactions: [{ payment_type: 'debt', amount }],
  });
}
