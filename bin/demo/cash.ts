import { print } from '../cli/main.ts';
import { WATER } from './goods.ts';
import { type DemoShop, withSpaces } from './shop.ts';

const FARE = 20_000;
const REPAID = 30_000;
const COLLECTED = 50_000;
const CHANGE = 10_000;
const TAXI = 3000;
const MISSING = 500;

const CASH = { payment_type: 'cash', currency: 'uzs' };

/** Pays for the delivery out of the desk. */
export async function payForDelivery({ director, cashier, cashbox_id }: DemoShop): Promise<void> {
  const item = { type: 'outcome', name: 'Yetkazib berish' };
  const reason_id = await director.make('/company/cashbox/reason', item);
  const paid = { ...CASH, cashbox_id, type: 'outcome', amount: FARE, reason_id };
  await cashier.make('/company/cashbox/operation', paid);
  print(`\nIn the evening the cashier pays the driver ${withSpaces(FARE)} out of the desk.`);
}

/** Takes a part of a client's debt: by card first, which is refunded, then in cash. */
export async function repayDebt({ cashier, cashbox_id }: DemoShop, client_id: number): Promise<void> {
  const path = '/company/client/debt-payment';
  const payBy = (payment_type: string) =>
    cashier.call(`POST ${path}`, { client_id, cashbox_id, payments: [{ payment_type, amount: REPAID }] });
  const byCard = await payBy('card');
  await cashier.call(`POST ${path}/${byCard.number('data.0.id')}/refund`);
  const left = (await payBy('cash')).number('data.0.debt.remaining_amount');
  print(
    `Aziza pays ${withSpaces(REPAID)} of her debt by card, has it refunded, and pays them in cash: ` +
      `she owes ${withSpaces(left)} now.`,
  );
}

/** Brings cash to the main desk, where the director confirms it. */
export async function collectCash({ director, cashier, cashbox_id }: DemoShop): Promise<void> {
  const path = '/company/cashbox/operation/collection';
  const collection = { cashbox_id, items: [{ ...CASH, amount: COLLECTED }] };
  const confirm = `PATCH ${path}/${await cashier.make(path, collection)}/confirm`;
  const { body } = await cashier.expectRefusal(403, confirm);
  print(
    `${withSpaces(COLLECTED)} are on their way to the main desk: ` +
      `the cashier can't confirm them there, ${JSON.stringify(body)}`,
  );
  await director.call(confirm);
  const main = await director.call('GET /company/cashbox/cashbox?filter[type]=main');
  const held = withSpaces(main.number('data.0.balances.cash.uzs'));
  print(`The director counts and confirms them; the main desk has ${held}.`);
}

/**
 * Works a second shift: opens it with change, sells, pays a taxi, and closes it by a cash count that is
 * short.
 */
export async function workShift(shop: DemoShop): Promise<void> {
  const { director, cashier, stock_id, cashbox_id, sell, failToSell } = shop;
  const settings = { cashbox_shift_settings: { is_enabled: true } };
  await director.call('PUT /company/company/settings', settings);
  const refused = await failToSell(400, [[WATER, 1]], { cash: 4000 });
  print(`\nFor the night the director has desks work in shifts: ${refused}`);

  const path = '/company/trade/cashbox-shift';
  const opening = { cashbox_id, stock_id, opening_balances: [{ ...CASH, amount: CHANGE }] };
  const shift = `${path}/${await cashier.make(path, opening)}`;
  await sell([[WATER, 1]], { cash: 4000 });
  const reason_id = await cashier.make(`${path}/expense-reasons`, { name: 'Taksi' });
  await cashier.make(`${shift}/expense`, { ...CASH, amount: TAXI, reason_id });
  const expected = (await cashier.call(`GET ${shift}`)).number('summary.rows.0.expected');
  print(
    `The cashier opens one with ${withSpaces(CHANGE)} of change, sells a bottle and pays a taxi ${withSpaces(TAXI)}: ` +
      `${withSpaces(expected)} should be in the desk.`,
  );

  const closed = await cashier.call(`PATCH ${shift}/close`, {
    ...{ actuals: [{ ...CASH, amount: expected - MISSING }], closing_comment: 'Kam chiqdi' },
    ...{ closing_action: 'transfer_part', leave_amounts: [{ currency: 'uzs', amount: CHANGE }] },
  });
  const row = (field: string) => closed.number(`summary.rows.0.${field}`);
  print(
    `The cash count finds ${withSpaces(-row('difference'))} less. The shift is closed with ` +
      `${closed.number('summary.checks_count')} sale: ${withSpaces(row('left'))} stay for tomorrow, ` +
      `${withSpaces(row('transferred'))} go to the main desk.`,
  );
}
