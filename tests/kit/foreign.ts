import * as z from 'zod';
import type { Reply } from '#bin/program/person.ts';
import { call } from './http.ts';
import { cheque, type Shop } from './shop.ts';

const Balances = z.object({ balances: z.object({ cash: z.record(z.string(), z.number()) }) });

const Posting = z.looseObject({
  id: z.int(),
  type: z.string(),
  payment_type: z.string(),
  currency: z.string(),
  amount: z.number(),
  source_type: z.string(),
  source_id: z.int(),
});

/** Pays in cash: sums, or the currency that is named. */
export function inCash(amount: number, currency?: string): object {
  return { payment_type: 'cash', amount, ...(currency && { currency }) };
}

/** Tries to sell so many pieces of a product for these payments. */
export function trySelling(
  shop: Shop,
  [product_id, sold_quantity]: readonly [number, number],
  transactions: readonly object[],
  given: object = {},
): Promise<Reply> {
  const products = [{ product_id, sold_quantity }];
  const json = cheque(shop, { products, transactions, ...given });
  return call('POST /company/trade/sale', { token: shop.director, json });
}

/** Reads the cash of the shop's desk, by currency. */
export async function allCashOf({ cashboxId, director: token }: Shop): Promise<Record<string, number>> {
  const { body } = await call(`GET /company/cashbox/cashbox/${cashboxId}`, { token });
  return Balances.parse(body).balances.cash;
}

/** Lists the transfers of the shop's desk, the oldest first: source, way, kind of money and amount. */
export async function transfersOf({ cashboxId, director: token }: Shop): Promise<string[]> {
  const { body } = await call(`GET /company/cashbox/cashbox/${cashboxId}/transfers`, { token });
  const { data } = z.object({ data: z.array(Posting) }).parse(body);
  return data
    .toReversed()
    .map(({ source_type, source_id, type, payment_type, currency, amount }) =>
      [source_type, source_id, type, payment_type, currency, amount].join(' '),
    );
}
