import { type ClientTask, createRecord, idsIn, nextStep } from './client-task.ts';
import { changing, posting, type Task, type TaskStep, withoutTrace } from './operation.ts';

const OPERATIONS = '/company/cashbox/operation';
const SHIFTS = '/company/trade/cashbox-shift';
const DEBT_PAYMENTS = '/company/client/debt-payment';

/** Share of cash operations that are reversed. */
const TAKEN_BACK = 0.3;

const CASH = { payment_type: 'cash', currency: 'uzs' };

/** Moves cash into a desk, or out of it, which may exceed its balance; at times reverses that. */
export async function moveSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const type = chance.oneOf(['income', 'outcome'] as const);
  const money = { payment_type: chance.oneOf(['cash', 'card']), currency: chance.oneOf(['uzs', 'usd']) };
  const amount = chance.oneOf([0.01, 500, 7777.77]);
  const place = { cashbox_id: chance.oneOf(scene.desks), reason_id: scene.reasons[type] };
  const id = await createRecord(
    errand,
    posting('movement', errand, OPERATIONS, { ...place, type, ...money, amount }),
  );
  if (id === undefined || chance.next() > TAKEN_BACK) return;
  const way = chance.oneOf(['money cancel', 'money return'] as const);
  const why = way === 'money cancel' ? { cancel_comment: 'Xato' } : undefined;
  await run(changing(way, nextStep(errand, 'back'), id, why));
}

/** Moves money to another desk, or converts some of it; the desk may have too little. */
export async function changeSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const [from = 0, to = from] = chance.some(scene.desks, 2);
  const amount = chance.oneOf([0.01, 500, 7777.77]);
  if (to !== from && chance.next() < 0.5) {
    const desks = { from_cashbox_id: from, to_cashbox_id: to };
    await run(posting('move of money', errand, `${OPERATIONS}/transfer`, { ...desks, ...CASH, amount }));
    return;
  }
  const given = { cashbox_id: from, payment_type: 'cash', from_currency: 'uzs', from_amount: amount };
  const got = { to_currency: chance.oneOf(['usd', 'rub']), to_amount: 0.01 };
  await run(posting('conversion', errand, `${OPERATIONS}/conversion`, { ...given, ...got }));
}

/**
 * Pays a part of a client's debts, the earliest first, and at times refunds one of these payments. The
 * payments have no comment.
 */
export async function repaySome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const payments = [{ payment_type: chance.oneOf(['cash', 'bank']), amount: chance.oneOf([0.01, 9999.99]) }];
  const client_id = chance.oneOf([scene.clientId, scene.limited.clientId]);
  const place = { client_id, cashbox_id: chance.oneOf(scene.desks) };
  const json = { ...place, currency: 'uzs', payments };
  const { answer } = await run(withoutTrace('debt payment', errand, `POST ${DEBT_PAYMENTS}`, { json }));
  const [made] = answer?.rows() ?? [];
  // A refund may push a client's debt over its limit, which then could not be checked.
  if (!made || client_id !== scene.clientId || chance.next() > TAKEN_BACK) return;
  const request = `POST ${DEBT_PAYMENTS}/${made.number('id')}/refund`;
  await run(withoutTrace('refund of a debt payment', nextStep(errand, 'refund'), request));
}

/** Pays the supplier; the desk may have too little for it. */
export async function paySupplier(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const amount = chance.oneOf([0.01, 1000, 33_333.33]);
  const json = { cashbox_id: chance.oneOf(scene.desks), ...CASH, amount };
  await run(posting('payment', errand, `/company/stock/supplier/${scene.supplierId}/payment`, json));
}

/**
 * Collects a desk, which may have too little, after its shift if it has one, confirms the collection, and
 * opens the next shift.
 */
export async function collectSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  if (scene.hasShifts) {
    const [open] = await idsIn(errand, `${SHIFTS}?filter[status]=open`);
    if (open !== undefined) {
      await run(shiftExpense(nextStep(errand, 'expense'), open));
      await run(shiftEnd(nextStep(errand, 'shift'), open));
    }
  }
  const items = [{ ...CASH, amount: chance.oneOf([0.01, 12_345.67]) }];
  const json = { cashbox_id: chance.oneOf(scene.desks), items };
  const id = await createRecord(errand, posting('new collection', errand, `${OPERATIONS}/collection`, json));
  if (id !== undefined && chance.next() < 0.8)
    await run(changing('collection', nextStep(errand, 'confirm'), id));
  if (scene.hasShifts) await run(newShift(nextStep(errand, 'open')));
}

/** Opens a shift at the desk, with an initial float. */
function newShift({ scene, name, chance }: Task): TaskStep {
  const change = { ...CASH, amount: chance.oneOf([0, 1000]) };
  const place = { cashbox_id: scene.desks[0], stock_id: scene.stockId };
  const json = { ...place, opening_balances: [change], opening_comment: name };
  return { name, kind: 'new shift', scene, request: `POST ${SHIFTS}`, json };
}

/** Pays an expense of a shift; its desk may have less. */
function shiftExpense(task: Task, id: number): TaskStep {
  const json = { reason_id: task.scene.reasons.outcome, ...CASH, amount: task.chance.oneOf([0.01, 55.55]) };
  return posting('shift expense', task, `${SHIFTS}/${id}/expense`, json);
}

/** Closes a shift: with correct or short counts; money is kept or collected. */
function shiftEnd(task: Task, id: number): TaskStep {
  const { chance } = task;
  const closing_action = chance.oneOf(['keep', 'transfer_all']);
  const counted = { ...CASH, amount: chance.oneOf([0, 777.77]) };
  return changing('shift', task, id, { closing_action, actuals: chance.next() < 0.3 ? [counted] : [] });
}
