import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { call } from './http.ts';
import { newGoods, newShop, type Shop, saleBody, setRate } from './shop.ts';

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

/** Tries to sell pieces of a product for these payments. */
export function trySelling(
  shop: Shop,
  [product_id, sold_quantity]: readonly [number, number],
  transactions: readonly object[],
  given: object = {},
): Promise<Reply> {
  const products = [{ product_id, sold_quantity }];
  const json = saleBody(shop, { products, transactions, ...given });
  return call('POST /company/trade/sale', { token: shop.director, json });
}

/** Creates a shop with sums in its desk, which sold pieces at 5000 for dollars at 12 500. */
export async function shopPaidInDollars(dollars: number, pieces: number, more: readonly object[] = []) {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  const sold = await trySelling(shop, [id, pieces], [inCash(dollars, 'usd'), ...more]);
  return { shop, id, sale: sold.number('id') };
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
