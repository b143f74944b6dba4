import { PRICE } from '#bench/support/shop.ts';
import { type ClientTask, createRecord, linesAt, nextStep } from './client-task.ts';
import { changing, posting, type Task, type TaskStep } from './operation.ts';
import { sale } from './sell.ts';

/** Few, so that a sold tracking code is sold at other desks, too. */
const MARKS = 40;

/** Shares of tracked sales that are returned, and exchanged for a piece with another code. */
const RETURNED = 0.4;
const EXCHANGED = 0.3;

/** Sells a piece with a tracking code, unless it is already sold, and at times returns or exchanges it. */
export async function sellTracked(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const marks = [`mark-${chance.between(1, MARKS)}`];
  const transactions = [{ payment_type: 'cash', amount: PRICE }];
  const products = [{ product_id: scene.marked, sold_quantity: 1, marks }];
  const id = await createRecord(errand, sale(errand, { products, transactions }));
  const fate = chance.next();
  if (id === undefined || fate > RETURNED + EXCHANGED) return;
  if (fate < RETURNED) {
    await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
    return;
  }
  const [line] = await linesAt(errand, `/company/trade/sale/${id}`);
  if (line) await run(exchangePiece(nextStep(errand, 'exchange'), id, line.number('id')));
}

/** Exchanges the piece of a sale for another one, whose code may be sold. */
function exchangePiece(task: Task, id: number, line: number): TaskStep {
  const { familyId: company_id, desks, stockId: stock_id, marked: product_id } = task.scene;
  const marks = [`mark-${task.chance.between(1, MARKS)}`];
  return posting('exchange', task, `/company/trade/sale/${id}/exchange`, {
    ...{ company_id, cashbox_id: task.chance.oneOf(desks), stock_id, currency: 'uzs', transactions: [] },
    returned_products: [{ id: line, returned_quantity: 1, reason_type: 'size_not_fit' }],
    products: [{ product_id, sold_quantity: 1, marks }],
  });
}
