import type { Reply } from '#bin/cli/person.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { addClient } from './clients.ts';
import { newWater } from './debts.ts';
import { call } from './http.ts';
import { newShop, type Shop, saleBody } from './shop.ts';

/** A shop that sells water at 1 a piece, with a client. */
export interface Depositor extends Shop {
  readonly client: number;
  readonly water: number;
}

/** Takes cash of a client into the deposit at the shop's desk, and returns the entry. */
export function takeDeposit(
  { cashboxId: cashbox_id, director: token }: Shop,
  client: number,
  amount: number,
  given: object = {},
): Promise<Reply> {
  const money = { type: 'income', cashbox_id, payment_type: 'cash', currency: 'uzs', amount };
  return call(`POST /company/client/client/${client}/deposit`, { token, json: { ...money, ...given } });
}

/** Creates a shop with water, and a client with this much in the deposit. */
export async function newDepositor(amount: number): Promise<Depositor> {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  if (amount > 0) await takeDeposit(shop, client, amount);
  return { ...shop, client, water };
}

/** Reads a client's deposit of sums. */
export async function depositOf({ companyId }: Shop, client: number): Promise<number> {
  const item = await getItem(clientBalancesKey(familyTenant(companyId), client));
  return ClientBalances.parse(item).deposit_uzs / 100;
}

/** Builds the body of a sale of pieces of water to the client: an amount for each payment type. */
export function waterFor(
  shop: Depositor,
  pieces: number,
  ways: Readonly<Record<string, number>>,
  given: object = {},
): object {
  return saleBody(shop, {
    client_id: shop.client,
    products: [{ product_id: shop.water, sold_quantity: pieces }],
    transactions: byWay(ways),
    ...(ways['debt'] && { due_date: '2099-01-31' }),
    ...given,
  });
}

/** Sells pieces of water to the client. */
export function sellWater(
  shop: Depositor,
  pieces: number,
  ways: Readonly<Record<string, number>>,
  given: object = {},
): Promise<Reply> {
  const json = waterFor(shop, pieces, ways, given);
  return call('POST /company/trade/sale', { token: shop.director, json });
}

/** Returns payments, or payouts: an amount for each payment type. */
export function byWay(ways: Readonly<Record<string, number>>): object[] {
  return Object.entries(ways).map(([payment_type, amount]) => ({ payment_type, amount }));
}
