import { expect } from 'vitest';
import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import type { Person, Reply } from '#bin/cli/person.ts';
import { PaymentType } from '#lib/values/money.ts';
import { daysAfter } from '#lib/values/time.ts';
import {
  type Moved,
  type ReturnedDocument,
  readBatches,
  readLastReturn,
  readSold,
  type SoldDocument,
} from './documents.ts';
import type { Place, Weeks } from './weeks.ts';

/** All that was made so far: what the model adds up. */
export interface PlayHistory {
  readonly sold: SoldDocument[];
  readonly returned: ReturnedDocument[];
  readonly moved: Moved[];
  /** Open holds and transfers under way, for what ends them. */
  readonly holds: { id: number; place: Place; products: { product_id: number; quantity: number }[] }[];
  readonly sent: { id: number; from: number; to: number }[];
}

/** A moment of a play: whose turn it is, and what there is. */
export interface PlayMoment {
  readonly weeks: Weeks;
  readonly kept: PlayHistory;
  readonly person: Person;
  readonly day: string;
  readonly chance: SeededRandom;
}

type Step = (turn: PlayMoment) => Promise<boolean>;

const MONEY: readonly string[] = PaymentType.options;

/** Does one step; false if there was nothing to do it with, or it was refused. */
export function step(turn: PlayMoment): Promise<boolean> {
  return turn.chance.oneOf(OFTEN)(turn);
}

/** Sells by any of the ways; what is asked for is told by a payment that is never right. */
async function sell(turn: PlayMoment, more: object = {}): Promise<boolean> {
  const { weeks, chance } = turn;
  const place = placeOf(turn);
  const client_id = chance.oneOf([null, ...weeks.clientIds]);
  const products = goodsOf(turn).map(({ quantity, ...line }, index) => ({
    ...{ ...line, sold_quantity: quantity },
    ...(chance.between(0, 2) === 0 && index === 0 && { discount: 0.25 * chance.between(1, 8) }),
  }));
  const bundles = chance.between(0, 4) === 0 && place.currency === 'uzs' ? [bundleOf(turn)] : [];
  const sale = { ...counterOf(place), currency: place.currency, client_id, products, bundles, ...more };
  const isInDollars = place.currency === 'uzs' && chance.between(0, 3) === 0;
  const payments = (total: number) =>
    isInDollars ? [inDollars(total)] : paymentsOf(turn, total, client_id !== null);
  const due_date = '2026-04-15';
  return keepSale(turn, await pay(turn, 'POST /company/trade/sale', { ...sale, due_date }, payments));
}

/** Sells what was sold up to six days ago, at prices of its own. */
function sellLate(turn: PlayMoment): Promise<boolean> {
  const { chance, weeks, day } = turn;
  const sold_at = `${daysAfter(day, -chance.between(0, 6))} 07:0${chance.between(0, 8)}:00`;
  const products = [{ product_id: chance.oneOf(weeks.goods).id, sold_quantity: 2, price: 10.55 }];
  return sell(turn, { sold_at, products, bundles: [] });
}

/** Sells in cash, and corrects that to card at once. Part 5, 5A.8, 2. */
export async function sellAndCorrect(turn: PlayMoment): Promise<void> {
  const { weeks, chance } = turn;
  const place = placeOf(turn);
  const products = [{ product_id: chance.oneOf(weeks.goods).id, sold_quantity: 1 }];
  const sale = { ...counterOf(place), currency: place.currency, products };
  expect(await keepSale(turn, await pay(turn, 'POST /company/trade/sale', sale))).toBe(true);
  expect(await correctTo(turn, turn.kept.sold.at(-1), 'card')).toBe(true);
}

/** Corrects how the money of any sale came: all of it by one payment type. */
function correctAny(turn: PlayMoment): Promise<boolean> {
  const { kept, chance } = turn;
  const made = kept.sold.filter(({ sold_at }) => sold_at.startsWith(turn.day));
  return correctTo(turn, made.length > 0 ? chance.oneOf(made) : undefined, chance.oneOf(MONEY));
}

async function correctTo(turn: PlayMoment, sale: SoldDocument | undefined, way: string): Promise<boolean> {
  if (!sale) return false;
  const { kept, person } = turn;
  const money = sale.transactions.filter(({ payment_type }) => MONEY.includes(payment_type));
  const amount = Math.round(money.reduce((sum, paid) => sum + paid.counted_amount, 0) * 100) / 100;
  const transactions = [{ payment_type: way, amount }];
  const { status } = await send(turn, `PATCH /company/trade/sale/${sale.id}/tender`, { transactions });
  if (status !== 200) return false;
  // The correction counts on the day of the sale: without shifts there is no other.
  const { transactions: corrected } = await readSold(person, sale.id);
  kept.sold.splice(kept.sold.indexOf(sale), 1, { ...sale, transactions: corrected });
  return true;
}

/** Returns a part of any line of any cheque, or all that is left of a cheque. */
async function takeBack(turn: PlayMoment): Promise<boolean> {
  const { kept, chance } = turn;
  if (kept.sold.length === 0) return false;
  const sale = chance.oneOf(kept.sold);
  const path = `PATCH /company/trade/sale/${sale.id}/return`;
  const lines = [{ id: chance.oneOf(sale.products).id, reason_type: 'defective', returned_quantity: 0.25 }];
  const body = chance.between(0, 3) === 0 ? {} : { products: lines };
  // The director may pay out of deposits: it goes back there, or in cash.
  const way = chance.oneOf(['cash', 'deposit']);
  const reply = await pay(turn, path, body, (total) =>
    total > 0 ? [{ payment_type: way, amount: total }] : [],
  );
  return reply.status === 200 && keepReturn(turn, sale.id);
}

/** Exchanges a piece of a cheque for something else. */
async function exchange(turn: PlayMoment): Promise<boolean> {
  const { kept, chance, weeks } = turn;
  if (kept.sold.length === 0) return false;
  const original = chance.oneOf(kept.sold);
  const place = weeks.places.find(({ company_id }) => company_id === original.company_id);
  const path = `POST /company/trade/sale/${original.id}/exchange`;
  const back = { id: chance.oneOf(original.products).id, reason_type: 'not_match', returned_quantity: 0.25 };
  const { id: product_id } = chance.oneOf(weeks.goods);
  const products = [{ product_id, sold_quantity: chance.between(1, 2) }];
  const body = { ...place, products, returned_products: [back] };
  const reply = await pay(turn, path, body);
  if (reply.status !== 200) return false;
  const made = await readSold(turn.person, reply.number('exchange_sale.id'));
  await keepReturn(turn, original.id, made.stock_id);
  keepSold(turn, made);
  return true;
}

/** Receives goods of two products, in either currency. */
export async function receive(turn: PlayMoment, at?: number): Promise<boolean> {
  const { person, weeks, chance, kept } = turn;
  const stock_id = at ?? chance.oneOf(weeks.stockIds);
  const currency = chance.oneOf(['uzs', 'usd']);
  const costs = [0.37, 1.05, 10, 1234.56];
  const products = weeks.goods.slice(at === undefined ? chance.between(0, 2) : 0).map(({ id }) => {
    return { product_id: id, quantity: chance.between(5, 24), cost: chance.oneOf(costs) };
  });
  const reply = await send(turn, 'POST /company/trade/purchase', { stock_id, currency, products });
  if (reply.status !== 200) return false;
  await person.call(`PATCH /company/trade/purchase/${reply.number('id')}/complete`);
  kept.moved.push(...products.map((line) => ({ ...line, stock_id, currency, where: 'shelf' as const })));
  return true;
}

const Receipts = z.object({ data: z.array(z.object({ id: z.int() })) });
const ReceiptLines = z.object({ products: z.array(z.object({ id: z.int() })) });

/** Receives goods, and corrects their costs at once: all of them remain. Part 5, 5A.4. */
export async function receiveAndCorrect(turn: PlayMoment, stock: number): Promise<void> {
  const { person, kept, chance } = turn;
  const known = kept.moved.length;
  await receive(turn, stock);
  const [receipt] = Receipts.parse((await person.call('GET /company/trade/purchase?page-size=1')).body).data;
  const path = `/company/trade/purchase/${receipt?.id}`;
  const lines = ReceiptLines.parse((await person.call(`GET ${path}`)).body).products;
  const cost = chance.oneOf([2.5, 77]);
  const products = lines.map(({ id }) => ({ id, cost }));
  await person.call(`PATCH ${path}/correct-cost`, { products, comment: 'Опечатка' });
  kept.moved.push(...kept.moved.splice(known).map((line) => ({ ...line, cost })));
}

async function hold(turn: PlayMoment): Promise<boolean> {
  const { kept } = turn;
  const place = placeOf(turn);
  const products = goodsOf(turn);
  const body = { ...counterOf(place), products, full_name: 'Aziz', cheque: 1 };
  const reply = await send(turn, 'POST /company/trade/hold', body);
  if (reply.status !== 200) return false;
  kept.holds.push({ id: reply.number('id'), place, products });
  return true;
}

/** Sells or cancels a hold. */
async function endHold(turn: PlayMoment): Promise<boolean> {
  const { kept, chance } = turn;
  if (kept.holds.length === 0) return false;
  const held = chance.oneOf(kept.holds);
  if (chance.between(0, 1) === 0) {
    const sale = { ...counterOf(held.place), currency: held.place.currency, hold_id: held.id };
    if (!(await keepSale(turn, await pay(turn, 'POST /company/trade/sale', sale)))) return false;
  } else if ((await send(turn, `PATCH /company/trade/hold/${held.id}/cancel`)).status !== 200) return false;
  kept.holds.splice(kept.holds.indexOf(held), 1);
  return true;
}

async function sendGoods(turn: PlayMoment): Promise<boolean> {
  const { weeks, chance, kept } = turn;
  const [from = 0, to = 0] = chance.between(0, 1) === 0 ? weeks.stockIds : weeks.stockIds.toReversed();
  const body = { from_stock_id: from, to_stock_id: to, products: goodsOf(turn) };
  const reply = await send(turn, 'POST /company/trade/transfer', body);
  if (reply.status !== 200) return false;
  const id = reply.number('id');
  kept.sent.push({ id, from, to });
  await moveBatches(turn, id, [
    [from, 'shelf', -1],
    [from, 'way', 1],
  ]);
  return true;
}

async function endSending(turn: PlayMoment): Promise<boolean> {
  const { chance, kept } = turn;
  if (kept.sent.length === 0) return false;
  const sent = chance.oneOf(kept.sent);
  const isArrival = chance.between(0, 2) > 0;
  const path = `PATCH /company/trade/transfer/${sent.id}/${isArrival ? 'complete' : 'cancel'}`;
  if ((await send(turn, path)).status !== 200) return false;
  kept.sent.splice(kept.sent.indexOf(sent), 1);
  await moveBatches(turn, sent.id, [
    [sent.from, 'way', -1],
    [isArrival ? sent.to : sent.from, 'shelf', 1],
  ]);
  return true;
}

async function moveBatches(
  { person, kept }: PlayMoment,
  id: number,
  ways: readonly (readonly [stock: number, where: Moved['where'], sign: number])[],
): Promise<void> {
  const lines = await readBatches(person, `/company/trade/transfer/${id}`);
  for (const [stock_id, where, sign] of ways) keepMoved(kept, lines, { stock_id, where }, sign);
}

/** Pays debts, or gives a payment back on the same day. */
async function payDebt(turn: PlayMoment): Promise<boolean> {
  const { weeks, chance } = turn;
  const { cashbox_id } = placeOf(turn);
  const payments = [
    { payment_type: chance.oneOf(['cash', 'card', 'deposit']), amount: 1 + chance.between(0, 499) / 4 },
  ];
  const body = { client_id: chance.oneOf(weeks.clientIds), cashbox_id, payments };
  const reply = await send(turn, 'POST /company/client/debt-payment', body);
  if (reply.status !== 200) return false;
  const [first] = reply.rows();
  if (chance.between(0, 2) === 0 && first)
    await send(turn, `POST /company/client/debt-payment/${first.number('id')}/refund`);
  return true;
}

/** Takes money of a client into the deposit, or pays it out. Part 5, 5A.6. */
async function moveDeposit(turn: PlayMoment): Promise<boolean> {
  const { weeks, chance } = turn;
  const type = chance.oneOf(['income', 'income', 'income', 'outcome']);
  const amount = 1 + chance.between(0, 40_000) / 4;
  const money = { type, payment_type: 'cash', currency: chance.oneOf(['uzs', 'uzs', 'usd']), amount };
  const path = `POST /company/client/client/${chance.oneOf(weeks.clientIds)}/deposit`;
  const { cashbox_id } = placeOf(turn);
  return (await send(turn, path, { ...money, cashbox_id })).status === 200;
}

/** Moves money by hand, and sometimes takes that back. */
async function moveMoney(turn: PlayMoment): Promise<boolean> {
  const path = await postMoney(turn, turn.chance.oneOf(['income', 'outcome'] as const));
  if (path === undefined) return false;
  const undo = turn.chance.between(0, 3);
  if (undo === 0) await cancel(turn, path);
  if (undo === 1) await send(turn, `${path}/return`, { comment: 'Xato' });
  return true;
}

/** Brings money in by hand, and takes that back: so that something has moved back in any weeks. */
export async function cancelIncome(turn: PlayMoment): Promise<void> {
  const path = await postMoney(turn, 'income');
  if (path === undefined || !(await cancel(turn, path))) throw new Error('An income was refused');
}

/** Moves money by hand; answers with the path of what can then be done with it, if it was not refused. */
async function postMoney(turn: PlayMoment, type: 'income' | 'outcome'): Promise<string | undefined> {
  const { weeks, chance } = turn;
  const reply = await send(turn, 'POST /company/cashbox/operation', {
    ...{ cashbox_id: placeOf(turn).cashbox_id, type, reason_id: weeks.reasons[type] },
    payment_type: chance.oneOf(['cash', 'card', 'bank']),
    currency: chance.oneOf(['uzs', 'usd', 'eur']),
    amount: 1 + chance.between(0, 899) / 4,
  });
  return reply.status === 200 ? `PATCH /company/cashbox/operation/${reply.number('id')}` : undefined;
}

async function cancel(turn: PlayMoment, path: string): Promise<boolean> {
  return (await send(turn, `${path}/cancel`, { cancel_comment: 'Xato' })).status === 200;
}

async function moveBetweenDesks(turn: PlayMoment): Promise<boolean> {
  const { weeks, chance } = turn;
  const [from, to] = [chance.oneOf(weeks.places), chance.oneOf(weeks.places)];
  const kind = {
    payment_type: 'cash',
    currency: chance.oneOf(['uzs', 'usd']),
    amount: chance.between(1, 40),
  };
  const body = { ...kind, from_cashbox_id: from.cashbox_id, to_cashbox_id: to.cashbox_id };
  return (await send(turn, 'POST /company/cashbox/operation/transfer', body)).status === 200;
}

/** Gives a desk to the branch, once its money is gone to another. */
export async function moveDesk({ weeks, person }: PlayMoment): Promise<void> {
  const [place, other] = [weeks.places[3], weeks.places[0]];
  const branch = weeks.places[2];
  if (!place || !other || !branch) throw new Error('There is no desk to move');
  const { cashbox_id } = place;
  const desk = await person.call(`GET /company/cashbox/cashbox/${cashbox_id}`);
  for (const payment_type of ['cash', 'card', 'bank']) {
    for (const currency of ['uzs', 'usd', 'eur', 'rub']) {
      const amount = desk.number(`balances.${payment_type}.${currency}`);
      const ends = { from_cashbox_id: cashbox_id, to_cashbox_id: other.cashbox_id };
      const body = { ...ends, payment_type, currency, amount };
      if (amount > 0) await person.call('POST /company/cashbox/operation/transfer', body);
    }
  }
  const moved = { name: 'Kassa 4', type: 'sale', company_id: branch.company_id };
  await person.call(`PUT /company/cashbox/cashbox/${cashbox_id}`, moved);
  weeks.places[3] = { ...branch, cashbox_id };
}

/** Has the branch sell in sums from now on. */
export async function changeCurrency({ weeks }: PlayMoment): Promise<void> {
  const path = 'PATCH /company/cashbox/currency-rate/settings';
  await weeks.manager.call(path, { sale_currency: 'uzs' });
  for (const place of weeks.places) place.currency = 'uzs';
}

/** Puts a product into the other category, in which all that was ever sold of it counts from then on. */
export async function moveCard({ weeks, chance, person }: PlayMoment): Promise<void> {
  const { food, tea } = weeks.categories;
  const goods = chance.oneOf(weeks.goods);
  goods.category_id = goods.category_id === food ? tea : food;
  const { id, category_id, card } = goods;
  await person.call(`PUT /company/product/product/${id}`, { ...card, category_id });
}

async function changeRate(turn: PlayMoment): Promise<boolean> {
  const { chance, weeks } = turn;
  const person = chance.oneOf([weeks.director, weeks.manager]);
  const settings = await person.call('GET /company/cashbox/currency-rate/settings');
  const row = settings.rows('rows').find((each) => each.text('currency') === 'usd');
  const rate = 12_000 + 50 * chance.between(0, 19);
  return (
    (await person.send(`PUT /company/cashbox/currency-rate/${row?.number('id')}`, { rate })).status === 200
  );
}

const OFTEN: readonly Step[] = [
  ...[sell, sell, sell, sell, sell, sellLate, sellLate, takeBack, takeBack, takeBack, exchange, exchange],
  ...[
    receive,
    hold,
    endHold,
    sendGoods,
    endSending,
    payDebt,
    moveMoney,
    moveBetweenDesks,
    changeRate,
    moveDeposit,
    correctAny,
  ],
];

function placeOf({ weeks, chance }: PlayMoment): Place {
  return chance.oneOf(weeks.places);
}

function counterOf({ cashbox_id, stock_id }: Place) {
  return { cashbox_id, stock_id };
}

function goodsOf({ weeks, chance }: PlayMoment) {
  const first = chance.oneOf(weeks.goods).id;
  const second = chance.oneOf(weeks.goods).id;
  const ids = first === second || chance.between(0, 1) === 0 ? [first] : [first, second];
  return ids.map((product_id) => ({ product_id, quantity: chance.between(1, 12) / 4 }));
}

function bundleOf({ weeks, chance }: PlayMoment) {
  return { bundle_id: weeks.bundle_id, quantity: 1, discount: chance.between(0, 2) * 100.5 };
}

function inCash(amount: number) {
  return { payment_type: 'cash', amount };
}

/** Pays with dollars, at whatever rate too many: change is given in sums. */
function inDollars(total: number) {
  return { payment_type: 'cash', currency: 'usd', amount: Math.ceil(total / 120) / 100 };
}

/** Splits a total among ways of paying; on debt and by bonuses only a client pays. */
function paymentsOf({ chance }: PlayMoment, total: number, hasClient: boolean): object[] {
  const ways = hasClient
    ? ['cash', 'card', 'bank', 'debt', 'debt', 'bonus', 'deposit', 'deposit']
    : ['cash', 'card', 'bank'];
  const way = chance.oneOf(ways);
  const part = Math.floor(total * (way === 'bonus' ? 5 : 50)) / 100;
  if (chance.between(0, 1) === 0 || way === 'bonus' || way === 'deposit')
    return [
      { payment_type: way, amount: part },
      { payment_type: way === 'card' ? 'cash' : 'card', amount: Math.round((total - part) * 100) / 100 },
    ].filter(({ amount }) => amount > 0);
  return [{ payment_type: way, amount: total }];
}

/**
 * Pays what is to be paid, or paid out, which a payment of a hundredth is told, unless that is just right. A
 * refusal for something else is the answer.
 */
async function pay(
  turn: PlayMoment,
  request: string,
  body: object,
  payments = (total: number): object[] => (total > 0 ? [inCash(total)] : []),
): Promise<Reply> {
  const guess = await send(turn, request, { ...body, transactions: [inCash(0.01)] });
  if (guess.status !== 422) return guess;
  const { transactions } = Object(Object(guess.body).errors);
  const [, total] = /(\d+(?:\.\d+)?)\.$/.exec(String(transactions)) ?? [];
  return total === undefined
    ? guess
    : send(turn, request, { ...body, transactions: payments(Number(total)) });
}

function send({ person }: PlayMoment, request: string, body?: object): Promise<Reply> {
  return person.send(request, body);
}

async function keepSale(turn: PlayMoment, reply: Reply): Promise<boolean> {
  if (reply.status !== 200) return false;
  keepSold(turn, await readSold(turn.person, reply.number('id')));
  return true;
}

function keepSold({ kept }: PlayMoment, sale: SoldDocument): void {
  kept.sold.push(sale);
  keepMoved(kept, sale.products, { stock_id: sale.stock_id, where: 'shelf' }, -1);
}

async function keepReturn(
  { kept, person }: PlayMoment,
  saleId: number,
  report_stock_id?: number,
): Promise<true> {
  const made = await readLastReturn(person, saleId);
  kept.returned.push({ ...made, report_stock_id: report_stock_id ?? made.stock_id });
  keepMoved(kept, made.products, { stock_id: made.stock_id, where: 'shelf' }, 1);
  return true;
}

function keepMoved(
  { moved }: PlayHistory,
  lines: Awaited<ReturnType<typeof readBatches>>,
  at: Pick<Moved, 'stock_id' | 'where'>,
  sign: number,
): void {
  for (const { product_id, batches } of lines)
    moved.push(
      ...batches.map(({ quantity, cost, currency }) => {
        return { ...at, product_id, cost, currency, quantity: sign * quantity };
      }),
    );
}
