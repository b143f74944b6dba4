import { expect } from 'vitest';
import { call } from './http.ts';
import { make } from './records.ts';
import { newWarehouse } from './stock.ts';
import { type Depot, newDepot } from './write-offs.ts';

export const TRANSFERS = '/company/trade/transfer';

/** A depot with a second warehouse, in which there is nothing. */
export interface TwoDepots extends Depot {
  readonly secondId: number;
}

/** Creates a depot and a second warehouse. */
export async function newTwoDepots(count: number, given: object = {}): Promise<TwoDepots> {
  const depot = await newDepot(count, given);
  return { ...depot, secondId: await newWarehouse(depot.token, 'Второй') };
}

/** Builds the body of a transfer of a number of pieces of each of the goods to the second warehouse. */
export function transferOf(
  { goods, stockId, secondId }: TwoDepots,
  quantity = 4,
  given: object = {},
): object {
  const products = goods.map((product_id) => ({ product_id, quantity }));
  return { from_stock_id: stockId, to_stock_id: secondId, products, ...given };
}

/** Sends goods and returns the transfer's id. */
export function send(depots: TwoDepots, quantity = 4, given: object = {}): Promise<number> {
  return make(TRANSFERS, depots.token, transferOf(depots, quantity, given));
}

/** Completes or cancels a transfer. */
export function end(token: string, id: number, word: 'complete' | 'cancel', headers = {}) {
  return call(`PATCH ${TRANSFERS}/${id}/${word}`, { token, headers });
}

/** Sends goods, which arrive at once. */
export async function moveAtOnce(depots: TwoDepots, quantity = 4, given: object = {}): Promise<void> {
  const id = await send(depots, quantity, given);
  expect(await end(depots.token, id, 'complete')).toMatchObject({ status: 200 });
}
