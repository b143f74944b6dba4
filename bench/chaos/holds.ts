import { PRICE } from '#bench/support/shop.ts';
import { renderInstant } from '#lib/values/time.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { BUNDLE_PRICE } from './family.ts';
import { changing, posting, type Task, type TaskStep } from './operation.ts';
import type { StepOutcome } from './perform.ts';
import { sale } from './sell.ts';

/** Pieces of a new hold, and pieces added to a hold. */
const HELD = 1;
export const ADDED = 2;

/** Holds goods, at times some more, and sells or cancels the hold, or leaves it. */
export async function holdSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const [first = 0, second = 0] = chance.some(scene.hot, 2);
  const goodsOf = (product_id: number, quantity: number) => {
    return { cashbox_id: chance.oneOf(scene.desks), cheque: 1, products: [{ product_id, quantity }] };
  };
  const hold = { ...goodsOf(first, HELD), stock_id: scene.stockId, full_name: 'Aziza' };
  const id = await createRecord(errand, posting('new hold', errand, '/company/trade/hold', hold));
  if (id === undefined) return;
  let outcome: StepOutcome['outcome'] = 'refused';
  if (chance.next() < 0.5) {
    ({ outcome } = await run(changing('addition', nextStep(errand, 'add'), id, goodsOf(second, ADDED))));
  }
  const fate = chance.next();
  // A hold with unknown contents can't be paid for.
  if (fate < 0.35 || outcome === 'unknown') await run(changing('cancel', nextStep(errand, 'cancel'), id));
  else if (fate < 0.9) {
    const amount = PRICE * (HELD + (outcome === 'done' ? ADDED : 0));
    const paid = { hold_id: id, transactions: [{ payment_type: 'cash', amount }] };
    await run(
      fate < 0.75 ? sale(nextStep(errand, 'sale'), paid) : offlineSaleOf(nextStep(errand, 'late'), paid),
    );
  }
}

/** Holds 110 lines, by bundles, and sells or cancels the hold. */
export async function holdMuch(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const bundles = scene.bundles.map((bundle_id) => ({ bundle_id, quantity: 1 }));
  const hold = { cashbox_id: chance.oneOf(scene.desks), cheque: 1, bundles, stock_id: scene.stockId };
  const step = posting('new hold', errand, '/company/trade/hold', { ...hold, full_name: 'Aziza' });
  const id = await createRecord(errand, step);
  if (id === undefined) return;
  const amount = BUNDLE_PRICE * bundles.length;
  const paid = { hold_id: id, transactions: [{ payment_type: 'cash', amount }] };
  const isSold = chance.next() < 0.5;
  await run(
    isSold ? sale(nextStep(errand, 'sale'), paid) : changing('cancel', nextStep(errand, 'cancel'), id),
  );
}

/** Returns the sale of a hold by a client that has just come back online. */
function offlineSaleOf({ scene, name, chance }: Task, paid: object): TaskStep {
  const place = { cashbox_id: chance.oneOf(scene.desks), stock_id: scene.stockId, currency: 'uzs' };
  const entry = { ...place, ...paid, key: name, sold_at: renderInstant(Date.now()) };
  const request = 'POST /company/trade/sale/sync';
  const step = { name, kind: 'late sale of a hold', scene, trace: null, isKeyed: true };
  return { ...step, request, json: { sales: [entry] }, mayMake: 1 };
}
