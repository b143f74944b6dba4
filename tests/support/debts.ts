import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { readOpenDebts } from '#lib/clients/debt/open.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { call } from './http.ts';
import { newGoods, type Shop, saleBody } from './shop.ts';

const Made = z.object({ id: z.int() });

const Owed = z.looseObject({
  id: z.int(),
  status: z.string(),
  amount: z.number(),
  repaid_amount: z.number(),
  returned_amount: z.number(),
  remaining_amount: z.number(),
});

const Payments = z.object({
  data: z.array(
    z.looseObject({
      ...{ id: z.int(), debt_id: z.int(), transfer_id: z.int().nullable() },
      ...{ amount: z.number(), payment_type: z.string() },
    }),
  ),
});

/** Creates water at 1 a piece, so that a sale's total equals its pieces. */
export function newWater(shop: Shop): Promise<number> {
  return newGoods(shop, [{ quantity: 1_000_000, cost: 0.5 }], { sale_price: 1 });
}

/** Sells a number of pieces of water, some for cash, the rest on debt until a day; returns the sale. */
export async function lend(
  shop: Shop,
  { client, water, amount, cash = 0, due = '2099-01-31' }: Lent,
): Promise<number> {
  const paid = cash > 0 ? [{ payment_type: 'cash', amount: cash }] : [];
  const json = saleBody(shop, {
    client_id: client,
    due_date: due,
    products: [{ product_id: water, sold_quantity: amount }],
    transactions: [...paid, { payment_type: 'debt', amount: amount - cash }],
  });
  return Made.parse((await call('POST /company/trade/sale', { token: shop.director, json })).body).id;
}

interface Lent {
  readonly client: number;
  readonly water: number;
  readonly amount: number;
  readonly cash?: number;
  readonly due?: string;
}

/** Builds the body of a payment of debts at the shop's desk: an amount for each payment type. */
export function paying(
  { cashboxId: cashbox_id }: Shop,
  client_id: number,
  ways: Readonly<Record<string, number>>,
): object {
  const payments = Object.entries(ways).map(([payment_type, amount]) => ({ payment_type, amount }));
  return { client_id, cashbox_id, payments };
}

/** Pays debts, and returns the payments. */
export async function payDebt(shop: Shop, client: number, ways: Readonly<Record<string, number>>) {
  const json = paying(shop, client, ways);
  const { body } = await call('POST /company/client/debt-payment', { token: shop.director, json });
  return Payments.parse(body).data;
}

/** Refunds a debt payment. */
export function refundDebt({ director: token }: Shop, id: number, headers = {}): Promise<Reply> {
  return call(`POST /company/client/debt-payment/${id}/refund`, { token, headers });
}

/** Reads a debt. */
export async function debtOf({ director: token }: Shop, id: number) {
  return Owed.parse((await call(`GET /company/client/debt/${id}`, { token })).body);
}

/** Lists the open debts stored beside a client's debts: ids and remaining amounts, in 1/100. */
export async function openDebtsIn({ companyId }: Shop, client: number) {
  const open = await readOpenDebts(familyTenant(companyId), client, 'uzs');
  return open.map(({ id, remaining_amount }) => [id, remaining_amount]);
}
