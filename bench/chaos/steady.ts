import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing, posting, untold } from './operation.ts';

/** More than one of these is seldom under way, so that the shelf seldom lacks it. */
const MAX_PIECES = 20;

/**
 * Moves goods that are never sold: sends them to the other of their warehouses, or holds some and lets go of
 * them. So there are always as many as at first, wherever they are, and reports must say so at any moment.
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
      untold('steady transfer', errand, 'POST /company/trade/transfer', { json }),
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
