import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing, posting, withoutTrace } from './operation.ts';

/** One amount, so that a client can take out the money of another. */
const AMOUNT = 500;

/**
 * Puts money into the desk that moves, takes some out, or moves the desk to the other branch, which needs it
 * to be empty. Money must neither stay with a branch nor leave one that did not get it: the cash report shows
 * each branch's.
 */
export async function moveDesk(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const { deskId, name, branches } = scene.mobile;
  const place = { cashbox_id: deskId, payment_type: 'cash', currency: 'uzs', amount: AMOUNT };
  const move = (type: 'income' | 'outcome') => ({ ...place, type, reason_id: scene.reasons[type] });
  const fate = chance.next();
  if (fate < 0.5) {
    const json = { name, type: 'sale', company_id: chance.oneOf(branches) };
    const request = `PUT /company/cashbox/cashbox/${deskId}`;
    await run(withoutTrace('move of a desk', errand, request, { json, isKeyed: true }));
    return;
  }
  const operations = '/company/cashbox/operation';
  const id = await createRecord(
    errand,
    posting('income of a moved desk', errand, operations, move('income')),
  );
  if (id === undefined) return;
  if (chance.next() < 0.3) {
    const why = { cancel_comment: 'Xato' };
    await run(changing('money cancel', nextStep(errand, 'back'), id, why));
    return;
  }
  await run(posting('outcome of a moved desk', nextStep(errand, 'out'), operations, move('outcome')));
}
