import { print } from '../../cli/main.ts';
import { type Person, signInAs } from '../../cli/person.ts';
import { SALE_ROUTE } from '../../cli/trade.ts';
import { withSpaces } from '../shop.ts';
import { dayIn, type MonthScene } from './month.ts';

const CASH = { payment_type: 'cash', currency: 'uzs' };

/** Ends the month: money goes to the main desk and to Jasur, and the books are closed. */
export async function closeMonth(director: Person, scene: MonthScene): Promise<void> {
  await collectShort(director, scene);
  await payOut(director, scene);
  await closeBooks(director, scene);
  await hideCosts(scene);
  await readReorder(director);
  await readStatement(director);
}

async function collectShort(director: Person, { shop }: MonthScene): Promise<void> {
  const path = '/company/cashbox/operation/collection';
  const sent = { cashbox_id: shop.cashbox_id, items: [{ ...CASH, amount: 100_000 }] };
  const id = await director.make(path, sent);
  const counted = { items: [{ ...CASH, amount: 99_500 }], comment: 'Qayta sanaldi' };
  const confirmed = await director.call(`PATCH ${path}/${id}/confirm`, counted);
  const difference = confirmed.number('differences.0.amount');
  print(`\nThe last week. 100 000 are collected, and counted anew in the main desk: ${difference}.`);
}

async function payOut(director: Person, { shop, jasur }: MonthScene): Promise<void> {
  const outcome = { type: 'outcome', cashbox_id: shop.cashbox_id, ...CASH, amount: 9000 };
  await director.make(`/company/client/client/${jasur}/deposit`, outcome);
  print('Jasur takes 9 000 of his deposit out, in cash.');
}

/** Closes the books of the weeks before, in which nothing can be canceled then. */
async function closeBooks(director: Person, scene: MonthScene): Promise<void> {
  const [first] = (await director.call('GET /company/trade/purchase?sort[]=id')).rows();
  const sale_settings = { books_closed_on: dayIn(scene, 20) };
  await director.call('PUT /company/company/settings', { sale_settings });
  const cancel = `PATCH /company/trade/purchase/${first?.number('id')}/cancel`;
  const refused = await director.expectRefusal(400, cancel);
  print(`The books are closed up to ${dayIn(scene, 20)}: “${refused.text('message')}”`);
}

/** Shows that the cashier sees no costs. */
async function hideCosts({ shop }: MonthScene): Promise<void> {
  const cashier = await signInAs(shop.address, shop.names.cashier, shop.password);
  const [sale] = (await cashier.call(`GET ${SALE_ROUTE}?page-size=1`)).rows();
  const { purchased_amount } = Object(sale?.body);
  print(`What the goods cost is not the cashier's to see: ${JSON.stringify({ purchased_amount })}.`);
}

async function readReorder(director: Person): Promise<void> {
  const rows = (await director.call('GET /company/report/reorder?cover_days=92')).rows();
  const lines = rows.map((row) => `${row.number('order_quantity')} of ${row.text('label')}`);
  print(`For the next three months the report says to order ${lines.join(', ') || 'nothing'}.`);
}

/** Reads the charges of the subscription, which add up to its balance. */
async function readStatement(director: Person): Promise<void> {
  const entries = (await director.call('GET /company/tariff/statement')).rows();
  const sum = entries.reduce((total, entry) => total + entry.number('amount'), 0);
  const balance = (await director.call('GET /company/tariff')).number('balance');
  if (sum !== balance) throw new Error(`The statement says ${sum}, and the tariff ${balance}`);
  print(`The statement of the subscription adds up to its balance, ${withSpaces(balance)}.`);
}
