import type { Chance } from '#bench/kit/random.ts';
import type { ChaosFamily } from './family.ts';
import { changing, type ErrandStep } from './operation.ts';

const OPERATIONS = '/company/cashbox/operation';
const SHIFTS = '/company/trade/cashbox-shift';

/** Brings money into a desk, or takes some out, which it may not have. */
export function movement(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const type = chance.oneOf(['income', 'outcome'] as const);
  const money = { payment_type: chance.oneOf(['cash', 'card']), currency: chance.oneOf(['uzs', 'usd']) };
  const amount = chance.oneOf([0.01, 500, 7777.77]);
  const place = { cashbox_id: chance.oneOf(scene.desks), reason_id: scene.reasons[type] };
  const json = { ...place, type, ...money, amount, comment: name };
  return { name, kind: 'movement', scene, request: `POST ${OPERATIONS}`, json };
}

/** Collects cash from a desk, which may have too little. */
export function newCollection(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const items = [{ payment_type: 'cash', currency: 'uzs', amount: chance.oneOf([0.01, 12_345.67]) }];
  const json = { cashbox_id: chance.oneOf(scene.desks), items, comment: name };
  return { name, kind: 'new collection', scene, request: `POST ${OPERATIONS}/collection`, json };
}

/** Opens a shift at the desk, with change that is brought along. */
export function newShift({ desks, ...scene }: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const change = { payment_type: 'cash', currency: 'uzs', amount: chance.oneOf([0, 1000]) };
  const place = { cashbox_id: desks[0], stock_id: scene.stockId };
  const json = { ...place, opening_balances: [change], opening_comment: name };
  return { name, kind: 'new shift', scene: { desks, ...scene }, request: `POST ${SHIFTS}`, json };
}

/** Closes a shift: all is as it should be, or it is counted short; money is kept or collected. */
export function shiftEnd(scene: ChaosFamily, name: string, id: number, chance: Chance): ErrandStep {
  const counted = { payment_type: 'cash', currency: 'uzs', amount: chance.oneOf([0, 777.77]) };
  const json = {
    closing_action: chance.oneOf(['keep', 'transfer_all']),
    actuals: chance.next() < 0.3 ? [counted] : [],
  };
  return changing('shift', scene, name, id, json);
}

/** Pays a part of the client's debts, the earliest first. The payments have no comment. */
export function debtPayment(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const payments = [{ payment_type: chance.oneOf(['cash', 'bank']), amount: chance.oneOf([0.01, 9999.99]) }];
  const json = {
    client_id: scene.clientId,
    cashbox_id: chance.oneOf(scene.desks),
    currency: 'uzs',
    payments,
  };
  const request = 'POST /company/client/debt-payment';
  return { name, kind: 'debt payment', scene, request, json, trace: null };
}

/** Pays the supplier; the desk may have too little for it. */
export function payment(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const json = {
    cashbox_id: chance.oneOf(scene.desks),
    payment_type: 'cash',
    currency: 'uzs',
    amount: chance.oneOf([0.01, 1000, 33_333.33]),
    comment: name,
  };
  const request = `POST /company/stock/supplier/${scene.supplierId}/payment`;
  return { name, kind: 'payment', scene, request, json };
}
