import { PRICE } from '#bench/support/shop.ts';
import type { Reply } from '#bin/cli/person.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { SERVICE_PRICE } from './family.ts';
import { changing, posting, type Task, withoutTrace } from './operation.ts';
import { sale } from './sell.ts';

const SALES = '/company/trade/sale';

/** Discount of a whole sale, in sums. */
const DISCOUNT = 333.33;

/**
 * Sells a service with goods or alone, with VAT, at times with a discount of the whole; at times returns all
 * of it, returns the service alone, or exchanges it for goods.
 */
export async function sellService(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const cart = serviceCart(errand);
  const id = await createRecord(errand, sale(errand, cart));
  const fate = chance.next();
  if (id === undefined || fate > 0.6) return;
  const { transactions } = cart;
  if (fate < 0.2) {
    await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
    return;
  }
  const reply = await errand.ask(`GET ${SALES}/${id}`);
  const [line] = reply?.status === 200 ? reply.rows('services') : [];
  if (!line || cart.products.length === 0) return;
  await run(fate < 0.4 ? serviceReturn(nextStep(errand, 'back'), id, line) : exchange(errand, id, line));
}

function serviceCart({ scene, chance }: Task) {
  const products = chance
    .some(scene.hot, chance.between(0, 2))
    .map((product_id) => ({ product_id, sold_quantity: 1 }));
  const total = products.length * PRICE + SERVICE_PRICE;
  const discount = chance.next() < 0.3 ? DISCOUNT : 0;
  return {
    products,
    services: [{ service_id: scene.serviceId }],
    ...(discount > 0 && { discount: { amount: discount } }),
    transactions: [{ payment_type: 'cash', amount: (total * 100 - discount * 100) / 100 }],
  };
}

/** Returns the service of a sale that has goods, too, which stays open. */
function serviceReturn(task: Task, id: number, line: Reply) {
  const services = [{ id: line.number('id'), returned_quantity: 1, reason_type: 'defective' }];
  const transactions = [{ payment_type: 'cash', amount: line.number('amount') }];
  const json = { services, transactions };
  return withoutTrace('return of a service', task, `PATCH ${SALES}/${id}/return`, { json });
}

/** Exchanges a service for two pieces of goods, which cost more. */
function exchange(errand: Task, id: number, line: Reply) {
  const { scene, chance } = errand;
  const due = (2 * PRICE * 100 - Math.round(line.number('amount') * 100)) / 100;
  return posting('exchange', nextStep(errand, 'exchange'), `${SALES}/${id}/exchange`, {
    ...{ company_id: scene.familyId, cashbox_id: chance.oneOf(scene.desks), stock_id: scene.stockId },
    currency: 'uzs',
    returned_services: [{ id: line.number('id'), returned_quantity: 1, reason_type: 'not_match' }],
    products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: 2 }],
    transactions: [{ payment_type: 'cash', amount: due }],
  });
}
