import { PRICE } from '#bench/support/shop.ts';
import type { Reply } from '#bin/cli/person.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import { renderInstant } from '#lib/values/time.ts';
import { type ClientTask, createRecord, linesAt, nextStep } from './client-task.ts';
import { BUNDLE_PRICE } from './family.ts';
import { changing, posting, type Task, type TaskStep, withoutTrace } from './operation.ts';

const SALES = '/company/trade/sale';

/** Shares of the small sales that are returned whole, exchanged in a line, or get a fiscal receipt. */
const RETURNED = 0.25;
const EXCHANGED = 0.25;
const FISCALIZED = 0.1;

/** Share of the small sales paid in dollars, and a new company's dollar rate, in 1/100 of a sum. */
const IN_DOLLARS = 0.15;
const DOLLAR = 12_650_00;

interface Payment {
  readonly payment_type: string;
  readonly amount: number;
  readonly currency?: string;
}

interface Paying {
  readonly transactions: readonly Payment[];
  readonly client_id?: number;
  readonly due_date?: string;
}

/**
 * Makes a small sale, and at times returns all of it, exchanges a line of it for other goods, or adds its
 * fiscal receipt.
 */
export async function sellSome(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const cart = smallCart(errand);
  const id = await createRecord(errand, sale(errand, cart));
  const fate = chance.next();
  if (id === undefined) return;
  if (fate > RETURNED + EXCHANGED) {
    if (fate < RETURNED + EXCHANGED + FISCALIZED) await run(fiscalReceipt(nextStep(errand, 'fiscal'), id));
    return;
  }
  if (fate < RETURNED) {
    // Its desk may have too little by now.
    const transactions = payoutsOf(cart);
    await run(changing('return', nextStep(errand, 'return'), id, { transactions }));
    return;
  }
  const [line] = await linesAt(errand, `${SALES}/${id}`);
  if (line) await run(exchangeLine(nextStep(errand, 'exchange'), id, line));
}

/** Sells a piece for cash, which came by card or bank, and corrects that; at times returns it. */
export async function sellAndCorrect(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const products = [{ product_id: chance.oneOf(scene.hot), sold_quantity: 1 }];
  const cash = { payment_type: 'cash', amount: PRICE };
  const id = await createRecord(errand, sale(errand, { products, transactions: [cash] }));
  if (id === undefined) return;
  const half = { amount: PRICE / 2 };
  const transactions = chance.oneOf([
    [{ ...cash, payment_type: chance.oneOf(['card', 'bank']) }],
    [
      { ...cash, ...half },
      { payment_type: 'card', ...half },
    ],
  ]);
  await run(changing('tender correction', nextStep(errand, 'tender'), id, { transactions }));
  if (chance.next() < RETURNED)
    await run(changing('return', nextStep(errand, 'return'), id, { transactions: [cash] }));
}

/** Sells 110 lines, by bundles. */
export async function sellMuch(errand: ClientTask): Promise<void> {
  const { bundles } = errand.scene;
  const total = bundles.length * BUNDLE_PRICE * 100;
  const json = { bundles: bundles.map((bundle_id) => ({ bundle_id, quantity: 1 })) };
  await errand.run(sale(errand, { ...json, ...paymentsOf(errand, total) }));
}

/** Returns a sale at a random desk. */
export function sale(task: Task, json: object): TaskStep {
  const { desks, stockId } = task.scene;
  const place = { cashbox_id: task.chance.oneOf(desks), stock_id: stockId, currency: 'uzs' };
  return posting('sale', task, SALES, { ...place, ...json });
}

/**
 * Returns a small sale of one to three lines, at times of products nearly out of stock, paid in cash, by
 * card, by bank or partly on debt.
 */
export function smallCart(task: Task) {
  const { scene, chance } = task;
  const products = chance
    .some(scene.hot, chance.between(1, 3))
    .map((product_id) => ({ product_id, sold_quantity: chance.oneOf([1, 2, 0.5, 3.3333]) }));
  const total = totalOf(products);
  return { products, ...(chance.next() < IN_DOLLARS ? dollarsFor(total) : paymentsOf(task, total)) };
}

function totalOf(products: readonly { readonly sold_quantity: number }[]): number {
  return products.reduce((sum, { sold_quantity }) => sum + priceOf(sold_quantity), 0);
}

/** Pays in whole dollars: the change is given in sums, if the desk has them. */
function dollarsFor(total: number): Paying {
  return { transactions: [{ payment_type: 'cash', amount: Math.ceil(total / DOLLAR), currency: 'usd' }] };
}

/** Refunds a sale in the way it was paid: dollars to the cent, the fraction below that in sums. */
function payoutsOf({ products, transactions }: ReturnType<typeof smallCart>): Payment[] {
  const dollars = Math.floor((totalOf(products) * 100) / DOLLAR) / 100;
  return transactions
    .filter(({ payment_type }) => payment_type !== 'debt')
    .map((paid) => (paid.currency ? { ...paid, amount: dollars } : paid));
}

function fiscalReceipt(task: Task, id: number): TaskStep {
  const fiscalized_at = renderInstant(Date.now());
  const json = { terminal_id: 'T1', receipt_number: task.name, fiscalized_at };
  return withoutTrace('fiscal receipt', task, `PATCH ${SALES}/${id}/fiscal`, { json });
}

/** Exchanges a line of a sale for as much of another product, or twice as much. */
function exchangeLine(task: Task, id: number, line: Reply): TaskStep {
  const { scene, chance } = task;
  const times = chance.oneOf([1, 2]);
  const quantity = line.number('sold_quantity');
  const due = priceOf(quantity * times) - priceOf(quantity);
  return posting('exchange', task, `${SALES}/${id}/exchange`, {
    company_id: scene.familyId,
    cashbox_id: chance.oneOf(scene.desks),
    stock_id: scene.stockId,
    currency: 'uzs',
    returned_products: [{ id: line.number('id'), returned_quantity: quantity, reason_type: 'size_not_fit' }],
    products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: quantity * times }],
    transactions: due > 0 ? [{ payment_type: 'cash', amount: due / 100 }] : [],
  });
}

/** Computes the price of a quantity, in hundredths. */
function priceOf(quantity: number): number {
  return amountOf(PRICE * 100, Math.round(quantity * ONE));
}

function paymentsOf({ scene: { clientId }, chance }: Task, total: number): Paying {
  const payment_type = chance.oneOf(['cash', 'card', 'bank']);
  if (chance.next() > 0.33) return { transactions: [{ payment_type, amount: total / 100 }] };
  const owed = Math.ceil(total / 2);
  const paid = { payment_type, amount: (total - owed) / 100 };
  const debt = { payment_type: 'debt', amount: owed / 100 };
  return { client_id: clientId, due_date: dueDate(), transactions: paid.amount > 0 ? [paid, debt] : [debt] };
}

/** Returns the due date of a debt of today. */
export function dueDate(): string {
  return new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
}
