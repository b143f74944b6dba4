import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing, posting, withoutTrace } from './operation.ts';

/** More than one of these is seldom in progress, so stock is seldom insufficient. */
const MAX_PIECES = 20;

/**
 * Moves goods that are never sold: between their two warehouses, or into a hold and out of it. Their total is
 * constant, and reports must show it at any moment.
 */
export async function moveSteady(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const { productId: product_id, stocks } = scene.steady;
  const [from = 0, to = 0] = chance.some(stocks, 2);
  const products = [{ product_id, quantity: chance.between(1, MAX_PIECES) }];
  if (chance.next() < 0.5) {
    const json = { from_stock_id: from, to_stock_id: to, products };
    const id = await createRecord(
      errand,
      withoutTrace('steady transfer', errand, 'POST /company/trade/transfer', { json }),
    );
    const end = chance.oneOf(['arrival', 'way back'] as const);
    if (id !== undefined) await run(changing(end, nextStep(errand, 'end'), id));
    return;
  }
  const goods = { cashbox_id: chance.oneOf(scene.desks), cheque: 1, products };
  const hold = { ...goods, stock_id: from, full_name: 'Aziza' };
  const id = await createRecord(errand, posting('steady hold', errand, '/company/trade/hold', hold));
  if (id !== undefined) await run(changing('cancel', nextStep(errand, 'cancel'), id));
}
