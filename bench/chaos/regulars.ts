import { PRICE } from '#bench/support/shop.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing } from './operation.ts';
import { dueDate, sale } from './sell.ts';

/** Share of these sales that are returned. */
const RETURNED = 0.3;

/** Bonuses paid by a client, who may have fewer, in sums. */
const BONUSES = 100;

/** Sells to a client who earns bonuses, and at times takes some in payment; at times returns the sale. */
export async function sellToLoyal(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const count = chance.between(1, 3);
  const cart = {
    client_id: scene.loyalId,
    products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: count }],
  };
  const bonus = chance.next() < 0.4 ? [{ payment_type: 'bonus', amount: BONUSES }] : [];
  const cash = { payment_type: 'cash', amount: count * PRICE - BONUSES * bonus.length };
  const id = await createRecord(errand, sale(errand, { ...cart, transactions: [cash, ...bonus] }));
  if (id === undefined || bonus.length > 0 || chance.next() > RETURNED) return;
  await run(changing('return', nextStep(errand, 'return'), id, { transactions: [cash] }));
}

/** Sells on debt to a client with a limit of a few sales: the rest is refused. */
export async function sellOnLimit(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const owed = { payment_type: 'debt', amount: PRICE };
  const id = await createRecord(
    errand,
    sale(errand, {
      ...{ client_id: scene.limited.clientId, due_date: dueDate(), transactions: [owed] },
      products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: 1 }],
    }),
  );
  if (id !== undefined && chance.next() < RETURNED)
    await run(changing('return', nextStep(errand, 'return'), id, { transactions: [] }));
}
