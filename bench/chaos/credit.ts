import { PRICE } from '#bench/support/shop.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import { type ClientTask, nextStep } from './client-task.ts';
import { changing, type Task, type TaskStep } from './operation.ts';

/** Price agreed with the credit system, in sums. */
const AGREED = PRICE * 1.2;

/** Few, so that two calls create one client at once. */
const BORROWERS = 5;

/** Shares of sales on credit that are sent again, as a system does that has lost the answer, and returned. */
const AGAIN = 0.3;
const RETURNED = 0.3;

/**
 * Sells on credit through the external API, and at times sends the same sale once more, or returns it: the
 * initial payment in cash, the rest by bank.
 */
export async function sellByCreditSystem(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const { step, initial, rest } = creditSale(errand);
  const { outcome, ids } = await run(step);
  if (chance.next() < AGAIN) await run(step);
  const [id] = ids;
  if (outcome !== 'done' || id === undefined || chance.next() > RETURNED) return;
  const payouts = [
    { payment_type: 'cash', amount: initial },
    { payment_type: 'bank', amount: rest },
  ];
  const transactions = payouts.filter(({ amount }) => amount > 0);
  await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
}

/** Returns a sale on credit of one to three lines, with the parts paid by client and credit system. */
export function creditSale({ scene, name, chance }: Task) {
  const products = chance
    .some(scene.hot, chance.between(1, 3))
    .map((product_id) => ({ product_id, quantity: chance.oneOf([1, 2, 0.5, 3.3333]), price: AGREED }));
  const total = products.reduce(
    (sum, { quantity }) => sum + amountOf(AGREED * 100, Math.round(quantity * ONE)),
    0,
  );
  const initial = chance.oneOf([0, 1000, 2000.01]);
  const step: TaskStep = {
    ...{ name, kind: 'credit sale', scene, sender: { headers: scene.creditSystem } },
    // Its external id is the key, so it has no other.
    ...{ isKeyed: true, mayMake: 1 },
    request: 'POST /external/credit/trade-sale/create',
    json: {
      ...{ external_id: name, agreement_number: name, agreement_date: '2026-10-01', months: 12 },
      ...{ initial_payment: initial, cashbox_id: chance.oneOf(scene.desks), stock_id: scene.stockId },
      currency: 'uzs',
      client: borrower(chance.between(1, BORROWERS)),
      products,
    },
  };
  return { step, initial, rest: (total - Math.round(initial * 100)) / 100 };
}

function borrower(number: number) {
  return { full_name: `Borrower ${number}`, phone: String(998_935_550_000 + number), pinfl: null };
}
