import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Sandbox } from './sandbox.ts';
import type { Timed } from './stopwatch.ts';

const SALES = '/company/trade/sale';
const RECEIPTS = '/company/trade/purchase';

const Desk = z.object({ balances: z.record(z.string(), z.record(z.string(), z.number())) });

/**
 * Receives a piece, sells it, twice with one key, takes it back and cancels the receipt. Begins by ending
 * what an earlier round left open, if it was cut off. Throws if the books are not at zero after it.
 */
export async function sellAndReturn(sandbox: Sandbox, timed: Timed): Promise<void> {
  const { director, cashbox_id, product_id, stock_id } = sandbox;
  await timed('ends what an earlier round left open', () => endAll(sandbox));
  await timed('receives a piece', async () => {
    const products = [{ product_id, quantity: 1, cost: 500 }];
    const id = await director.make(RECEIPTS, { stock_id, currency: 'uzs', products });
    await director.call(`PATCH ${RECEIPTS}/${id}/complete`);
  });
  await timed('sells it once, by two calls', async () => {
    const products = [{ product_id, sold_quantity: 1 }];
    const transactions = [{ payment_type: 'cash', amount: 1000 }];
    const cheque = { cashbox_id, stock_id, currency: 'uzs', products, transactions };
    const key = { 'idempotency-key': randomUUID() };
    const first = await director.call(`POST ${SALES}`, cheque, key);
    const again = await director.call(`POST ${SALES}`, cheque, key);
    if (first.number('id') !== again.number('id')) throw new Error('sold twice');
  });
  await timed('reads lists', async () => {
    await director.call(`GET ${SALES}`);
    await director.call('GET /company/stock/product?with[]=product');
  });
  await timed('takes it back and cancels the receipt', () => endAll(sandbox));
  await timed('looks into the books', () => requireZero(sandbox));
}

/** Takes back what was sold, then cancels what was received. */
async function endAll({ director }: Sandbox): Promise<void> {
  const sales = await director.call(`GET ${SALES}?filter[status]=completed`);
  for (const sale of sales.rows()) {
    const id = sale.number('id');
    const amount = (await director.call(`GET ${SALES}/${id}`)).number('sold_amount');
    const transactions = [{ payment_type: 'cash', amount }];
    await director.call(`PATCH ${SALES}/${id}/return`, { transactions });
  }
  for (const status of ['draft', 'completed']) {
    const receipts = await director.call(`GET ${RECEIPTS}?filter[status]=${status}`);
    for (const receipt of receipts.rows()) {
      await director.call(`PATCH ${RECEIPTS}/${receipt.number('id')}/cancel`);
    }
  }
}

async function requireZero({ director, stock_id, cashbox_id }: Sandbox): Promise<void> {
  const shelves = await director.call(`GET /company/stock/product?filter[stock_id]=${stock_id}`);
  const desk = await director.call(`GET /company/cashbox/cashbox/${cashbox_id}`);
  const pieces = shelves.rows().map((shelf) => shelf.number('quantity'));
  const money = Object.values(Desk.parse(desk.body).balances).flatMap((sums) => Object.values(sums));
  if ([...pieces, ...money].some((each) => each !== 0)) {
    throw new Error(`left are ${pieces.join(', ')} pieces and ${money.join(', ')} of money`);
  }
}
