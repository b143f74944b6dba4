import { PRICE } from '#bench/support/shop.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing } from './operation.ts';
import { sale } from './sell.ts';

/** Few, so that a sold tracking code is sold at other desks, too. */
const MARKS = 40;

/** Share of tracked sales that are returned. */
const RETURNED = 0.5;

/** Sells a piece with a tracking code, unless it is already sold, and at times returns it. */
export async function sellTracked(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const marks = [`mark ${chance.between(1, MARKS)}`];
  const transactions = [{ payment_type: 'cash', amount: PRICE }];
  const products = [{ product_id: scene.marked, sold_quantity: 1, marks }];
  const id = await createRecord(errand, sale(errand, { products, transactions }));
  if (id === undefined || chance.next() > RETURNED) return;
  await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
}
