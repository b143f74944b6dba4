import { type ClientTask, createRecord, idsIn, nextStep } from './client-task.ts';
import { changing, posting, type Task, type TaskStep, withoutTrace } from './operation.ts';

const OPERATIONS = '/company/cashbox/operation';
const SHIFTS = '/company/trade/cashbox-shift';
const DEBT_PAYMENTS = '/company/client/debt-payment';

const SUPPLIERS = '/company/stock/supplier';

/** Share of cash operations that are reversed. */
const TAKEN_BACK = 0.3;

/** Share of collections in which another amount is counted than was sent. */
const COUNTED_OTHERWISE = 0.3;

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

/**
 * Moves money to another desk or to another payment type, at times with a fee, or converts some of it; the
 * desk may have too little.
 */
export async function changeSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const [from = 0, to = from] = chance.some(scene.desks, 2);
  const amount = chance.oneOf([0.01, 500, 7777.77]);
  if (to !== from && chance.next() < 0.5) {
    const desks = { from_cashbox_id: from, to_cashbox_id: to };
    await run(posting('move of money', errand, `${OPERATIONS}/transfer`, { ...desks, ...CASH, amount }));
    return;
  }
  if (chance.next() < 0.5) return moveTender(errand, from, amount);
  const given = { cashbox_id: from, payment_type: 'cash', from_currency: 'uzs', from_amount: amount };
  const got = { to_currency: chance.oneOf(['usd', 'rub']), to_amount: 0.01 };
  await run(posting('conversion', errand, `${OPERATIONS}/conversion`, { ...given, ...got }));
}

/** Moves money of a desk from one payment type to another. */
async function moveTender(errand: ClientTask, cashbox_id: number, amount: number): Promise<void> {
  const { scene, chance, run } = errand;
  const ways = { from_payment_type: chance.oneOf(['card', 'cash']), to_payment_type: 'bank' };
  const json = { cashbox_id, currency: 'uzs', ...ways, amount };
  const path = `${OPERATIONS}/tender`;
  if (chance.next() < 0.5) {
    await run(posting('move of a tender', errand, path, json));
    return;
  }
  // Its fee would have its comment, too, as a second trace.
  const fee = { amount: 0.01, reason_id: scene.reasons.outcome };
  await run(withoutTrace('tender with a fee', errand, `POST ${path}`, { json: { ...json, fee } }));
}

/**
 * Pays a part of a client's debts, the earliest first, and at times refunds one of these payments. The
 * payments have no comment.
 */
export async function repaySome(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const payments = [{ payment_type: chance.oneOf(['cash', 'bank']), amount: chance.oneOf([0.01, 9999.99]) }];
  const client_id = chance.oneOf([scene.clientId, scene.limited.clientId, scene.debtorId]);
  const place = { client_id, cashbox_id: chance.oneOf(scene.desks) };
  const json = { ...place, currency: 'uzs', payments };
  const { answer } = await run(withoutTrace('debt payment', errand, `POST ${DEBT_PAYMENTS}`, { json }));
  const [made] = answer?.rows() ?? [];
  // A refund may push a client's debt over its limit, which then could not be checked.
  if (!made || client_id !== scene.clientId || chance.next() > TAKEN_BACK) return;
  const request = `POST ${DEBT_PAYMENTS}/${made.number('id')}/refund`;
  await run(withoutTrace('refund of a debt payment', nextStep(errand, 'refund'), request));
}

/**
 * Pays the supplier, for which the desk may have too little, or takes money back from them; at times reverses
 * that.
 */
export async function paySupplier(errand: ClientTask): Promise<void> {
  const { scene, chance, run, ask } = errand;
  const amount = chance.oneOf([0.01, 1000, 33_333.33]);
  const type = chance.oneOf(['outcome', 'outcome', 'income']);
  const json = { type, cashbox_id: chance.oneOf(scene.desks), ...CASH, amount };
  const path = `${SUPPLIERS}/${scene.supplierId}`;
  const { ids } = await run(posting('payment', errand, `${path}/payment`, json));
  const [id] = ids;
  if (id === undefined || chance.next() > TAKEN_BACK) return;
  const list = await ask(`GET ${path}/operations?filter[type]=payment`);
  const own = list?.status === 200 && list.rows().find((row) => row.number('source_id') === id);
  if (own) await reverseOperation(errand, own.number('id'));
}

/** Adjusts the debt to the supplier without money, and at times reverses that. */
export async function adjustSupplier(errand: ClientTask): Promise<void> {
  const { scene, chance } = errand;
  const type = chance.oneOf(['opening', 'correction']);
  const sum = { currency: chance.oneOf(['uzs', 'usd']), amount: chance.oneOf([0.01, 33_333.33, -1000]) };
  const path = `${SUPPLIERS}/${scene.supplierId}/adjustment`;
  const id = await createRecord(errand, posting('adjustment of a payable', errand, path, { type, ...sum }));
  if (id !== undefined && chance.next() < TAKEN_BACK) await reverseOperation(errand, id);
}

async function reverseOperation(errand: ClientTask, id: number): Promise<void> {
  const path = `${SUPPLIERS}/${errand.scene.supplierId}/operations/${id}/reverse`;
  await errand.run(posting('reversal of a payable', nextStep(errand, 'reverse'), path, {}));
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
  if (id !== undefined && chance.next() < 0.8) {
    const isOther = chance.next() < COUNTED_OTHERWISE;
    const counted = { items: [{ ...CASH, amount: chance.oneOf([0, 13_000]) }], comment: 'Qayta sanaldi' };
    const confirm = nextStep(errand, 'confirm');
    await run(changing('collection', confirm, id, isOther ? counted : undefined));
  }
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
  const actuals = chance.next() < 0.3 ? [counted] : [];
  return changing('shift', task, id, { closing_action, actuals, closing_comment: 'Qayta sanaldi' });
}
