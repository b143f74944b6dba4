import { PRICE } from '#bench/support/shop.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing, posting, withoutTrace } from './operation.ts';
import { dueDate, sale } from './sell.ts';

const CLIENTS = '/company/client/client';
const DEBT_PAYMENTS = '/company/client/debt-payment';

/** Share of entries that are reversed, and of sales from a deposit that are returned. */
const TAKEN_BACK = 0.25;

/**
 * Takes money of a client into their deposit, pays some out, or corrects it, and at times reverses that. The
 * deposit or the desk may have too little.
 */
export async function depositSome(errand: ClientTask): Promise<void> {
  const { scene, chance } = errand;
  const path = `${CLIENTS}/${chance.oneOf(scene.savers)}`;
  if (chance.next() < 0.2) {
    const json = { currency: 'uzs', amount: chance.oneOf([-0.01, 1000, -3000.5]) };
    const step = posting('deposit correction', errand, `${path}/deposit-correction`, json);
    return reverseAtTimes(errand, await createRecord(errand, step));
  }
  const type = chance.oneOf(['income', 'income', 'outcome']);
  const place = { type, cashbox_id: chance.oneOf(scene.desks), payment_type: chance.oneOf(['cash', 'bank']) };
  const json = { ...place, currency: 'uzs', amount: chance.oneOf([0.01, 5000, 25_000]) };
  const step = posting('client deposit', errand, `${path}/deposit`, json);
  await reverseAtTimes(errand, await createRecord(errand, step));
}

async function reverseAtTimes(errand: ClientTask, id: number | undefined): Promise<void> {
  if (id === undefined || errand.chance.next() > TAKEN_BACK) return;
  const path = `/company/client/deposit/${id}/reverse`;
  await errand.run(posting('reversal of a deposit', nextStep(errand, 'reverse'), path, {}));
}

/**
 * Sells to a client from their deposit, which may have too little, a part of it for cash; at times returns
 * all of it into the deposit.
 */
export async function sellFromDeposit(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const count = chance.between(1, 3);
  const cash = chance.next() < 0.5 ? { payment_type: 'cash', amount: 1000.5 } : undefined;
  const spent = { payment_type: 'deposit', amount: PRICE * count - (cash?.amount ?? 0) };
  const id = await createRecord(
    errand,
    sale(errand, {
      client_id: chance.oneOf(scene.savers),
      products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: count }],
      transactions: [spent, ...(cash ? [cash] : [])],
    }),
  );
  if (id === undefined || chance.next() > TAKEN_BACK) return;
  // Money that was paid in cash may go there, too.
  const isAll = chance.next() < 0.5;
  const transactions = isAll ? [{ ...spent, amount: PRICE * count }] : [spent, ...(cash ? [cash] : [])];
  await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
}

/** Sells on debt to a client, who pays a part of it from their deposit; at times that is refunded. */
export async function payFromDeposit(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const client_id = chance.oneOf(scene.savers);
  const transactions = [{ payment_type: 'debt', amount: PRICE }];
  const products = [{ product_id: chance.oneOf(scene.hot), sold_quantity: 1 }];
  await run(sale(errand, { client_id, due_date: dueDate(), products, transactions }));
  const payments = [{ payment_type: 'deposit', amount: chance.oneOf([0.01, PRICE / 2]) }];
  const json = { client_id, cashbox_id: chance.oneOf(scene.desks), currency: 'uzs', payments };
  const pay = nextStep(errand, 'pay');
  const { answer } = await run(withoutTrace('debt payment', pay, `POST ${DEBT_PAYMENTS}`, { json }));
  const [made] = answer?.rows() ?? [];
  if (!made || chance.next() > TAKEN_BACK) return;
  const request = `POST ${DEBT_PAYMENTS}/${made.number('id')}/refund`;
  await run(withoutTrace('refund of a debt payment', nextStep(errand, 'refund'), request));
}

/** Holds a piece for a client, takes a deposit for it, and sells or cancels the hold. */
export async function depositForHold(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const [client_id, cashbox_id] = [chance.oneOf(scene.savers), chance.oneOf(scene.desks)];
  const products = [{ product_id: chance.oneOf(scene.hot), quantity: 1 }];
  const hold = { cashbox_id, cheque: 1, stock_id: scene.stockId, client_id, full_name: 'Karim', products };
  const hold_id = await createRecord(errand, posting('new hold', errand, '/company/trade/hold', hold));
  if (hold_id === undefined) return;
  const money = { type: 'income', cashbox_id, payment_type: 'cash', currency: 'uzs', amount: PRICE, hold_id };
  const income = nextStep(errand, 'deposit');
  await run(posting('client deposit', income, `${CLIENTS}/${client_id}/deposit`, money));
  const transactions = [{ payment_type: 'deposit', amount: PRICE }];
  const isSold = chance.next() < 0.7;
  await run(
    isSold
      ? sale(nextStep(errand, 'sale'), { hold_id, client_id, transactions })
      : changing('cancel', nextStep(errand, 'cancel'), hold_id),
  );
}
