import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeSaleCurrency } from '#lib/cash/currency-rate.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { Currency } from '#lib/values/money.ts';
import { faultsOf } from '#tests/support/books.ts';
import { directorAs } from '#tests/support/family.ts';
import { allCashOf, inCash } from '#tests/support/foreign.ts';
import { linesOfSale, returnsOf } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody, setRate } from '#tests/support/shop.ts';

const AT = Date.now();
const RATES = { uzs: 100, usd: 1_264_999, eur: 1_370_001, rub: 13_507 };

/** Counts cents of one currency in another, half up: the sum that the tests reckon by. */
function worthIn(cents: number, from: Currency, to: Currency): number {
  const [up, down] = [BigInt(cents) * BigInt(RATES[from]), BigInt(RATES[to])];
  return Number(up / down);
}

/** Returns the largest amount in minor units of a currency worth no more than an amount of another. */
function within(cents: number, of: Currency, into: Currency): number {
  let max = Math.floor((cents * RATES[of]) / RATES[into]) + 1;
  while (max > 0 && worthIn(max, into, of) > cents) max--;
  return max;
}

/** Asks with a payment that is never right, and is told what is due, in cents. */
async function dueOf(ask: (guess: object[]) => Promise<unknown>): Promise<number> {
  try {
    await ask([inCash(0.01)]);
  } catch (error) {
    const phrase = error instanceof ApiError ? error.fields['transactions'] : undefined;
    if (phrase?.with?.['total'] !== undefined) return Math.round(Number(phrase.with['total']) * 100);
    throw error;
  }
  throw new Error('A hundredth was enough');
}

/** Reads how many cents of each currency a desk has. */
async function centsOf(shop: Shop): Promise<Map<string, number>> {
  return new Map(Object.entries(await allCashOf(shop)).map(([name, cash]) => [name, Math.round(cash * 100)]));
}

async function newTill(own: Currency) {
  const shop = await newShop();
  for (const other of ['usd', 'eur', 'rub'] as const) await setRate(shop, other, RATES[other] / 100);
  const actor = directorAs(shop.directorId, shop.companyId);
  await changeSaleCurrency(actor, { sale_currency: own }, AT);
  const id = await newGoods(shop, [{ quantity: 100_000, cost: 1 }], { sale_price: 123_456.78 });
  const sellFor = async (pieces: number, transactions: object[]) => {
    const products = [{ product_id: id, sold_quantity: pieces }];
    const input = SaleInput.parse(saleBody(shop, { currency: own, products, transactions }));
    return (await sell(actor, input, AT, { saveResponse: () => [] })).sale;
  };
  const due = await dueOf((guess) => sellFor(500, guess));
  await sellFor(500, [inCash(due / 100)]);
  return { shop, actor, own, sellFor };
}

const shares = fc.record({
  pieces: fc.integer({ min: 1, max: 9 }),
  first: fc.nat(2),
  share: fc.constantFrom(0.2, 0.9, 1, 1.6, 7),
  second: fc.constantFrom(0, 0.4),
  backs: fc.array(
    fc.record({
      part: fc.constantFrom<number[]>(0.3, 0.5, 1),
      foreign: fc.constantFrom<number[]>(0, 0.5, 1),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  isRestNamed: fc.boolean(),
});

type Shares = typeof shares extends fc.Arbitrary<infer S> ? S : never;

type Till = Awaited<ReturnType<typeof newTill>>;

/** Divides a total over cash in two other currencies and the cheque's own; it may come to more. */
function divide(own: Currency, total: number, { first, share, second }: Shares): Map<Currency, number> {
  const others = Currency.options.filter((each) => each !== own);
  const [one = own, two = own] = [others[first], others[(first + 1) % 3]];
  const whole = Math.max(within(total, own, one), 1);
  const paid = new Map([[one, Math.ceil(whole * share) + (share > 1 ? 1 : 0)]]);
  const left = total - sumIn(own, paid);
  const further = left > 0 ? within(Math.floor(left * second), own, two) : 0;
  if (further > 0 && worthIn(further, two, own) > 0) paid.set(two, further);
  const rest = total - sumIn(own, paid);
  return rest > 0 ? paid.set(own, rest) : paid;
}

function sumIn(own: Currency, paid: ReadonlyMap<Currency, number>): number {
  return [...paid].reduce((sum, [each, cents]) => sum + worthIn(cents, each, own), 0);
}

/** Foreign cash of a sale: the amounts received and refunded, and the value of the rest. */
interface Foreign {
  readonly other: Currency;
  readonly came: number;
  gone: number;
  left: number;
}

/** A cheque's money: what is in its own currency, and foreign cash in the order in which it was paid. */
interface Money {
  plain: number;
  readonly foreign: readonly Foreign[];
}

function moneyOf(own: Currency, total: number, paid: ReadonlyMap<Currency, number>): Money {
  const foreign = [...paid].flatMap(([other, came]) =>
    other === own ? [] : [{ other, came, gone: 0, left: worthIn(came, other, own) }],
  );
  const bound = foreign.reduce((sum, { left }) => sum + left, 0);
  return { plain: Math.max(0, total - bound), foreign };
}

/** Returns the part of an amount due that is refunded in the currency paid first. */
function foreignPart([due, wanted]: readonly [number, number], own: Currency, { foreign: [first] }: Money) {
  if (!first) return { cents: 0, counted: 0 };
  const { other, came, gone, left } = first;
  const count = (cents: number) => {
    const worth = worthIn(gone + cents, other, own) - worthIn(gone, other, own);
    return gone + cents === came && Math.abs(left - worth) === 1 ? left : worth;
  };
  let cents = Math.min(came - gone, within(Math.min(wanted, left), own, other));
  while (cents > 0 && count(cents) > Math.min(due, left)) cents--;
  return cents > 0 && count(cents) > 0 ? { cents, counted: count(cents) } : { cents: 0, counted: 0 };
}

/** Takes a refund out of a sale's money: payments in its own currency take plain money first. */
function takeBack(
  money: Money,
  { cents, counted, inOwn }: { cents: number; counted: number; inOwn: number },
) {
  const [first] = money.foreign;
  if (first) {
    first.gone += cents;
    first.left -= counted;
  }
  const plain = Math.min(money.plain, inOwn);
  money.plain -= plain;
  let beyond = inOwn - plain;
  for (const each of money.foreign) {
    const taken = Math.min(each.left, beyond);
    each.left -= taken;
    beyond -= taken;
  }
}

/** Returns a part of a sale, some of it in a foreign currency; returns the refunded amounts of both. */
async function giveBack(
  { shop, actor, own }: Till,
  {
    id,
    part,
    foreign,
    isRestNamed,
    money,
  }: Shares['backs'][number] & {
    readonly id: number;
    readonly isRestNamed: boolean;
    readonly money: Money;
  },
) {
  const { other = own } = money.foreign[0] ?? {};
  const [line] = await linesOfSale(shop, id);
  const open = (line?.sold_quantity ?? 0) - (line?.returned_quantity ?? 0);
  const returned_quantity = Math.floor(open * part);
  if (!line || returned_quantity === 0) return { due: 0, cents: 0, counted: 0, inOwn: 0 };
  const products = [{ id: line.id, returned_quantity, reason_type: 'not_match' }];
  const give = (transactions: object[]) =>
    returnGoods(actor, { id, ...ReturnInput.parse({ products, transactions }) }, AT, () => []);
  const due = await dueOf(give);
  const { cents, counted } = foreignPart([due, Math.floor(due * foreign)], own, money);
  const inOwn = due - counted;
  const isBelow = cents > 0 && BigInt(inOwn) * BigInt(RATES[own]) < BigInt(RATES[other]);
  await give([
    ...(cents > 0 ? [inCash(cents / 100, other)] : []),
    ...(inOwn > 0 && (isRestNamed || !isBelow) ? [inCash(inOwn / 100)] : []),
  ]);
  return { due, cents, counted, inOwn };
}

/** Sells and takes back, and expects of every step that the desk has what it should. */
async function sellAndReturn(till: Till, given: Shares): Promise<void> {
  const { shop, own, sellFor } = till;
  const total = await dueOf((guess) => sellFor(given.pieces, guess));
  const paid = divide(own, total, given);
  const change = Math.max(0, sumIn(own, paid) - total);
  const desk = await centsOf(shop);
  const move = (kind: Currency, cents: number) => desk.set(kind, (desk.get(kind) ?? 0) + cents);
  const sale = await sellFor(
    given.pieces,
    [...paid].map(([each, cents]) => inCash(cents / 100, each)),
  );
  expect([sale.received_amount, sale.change_amount ?? 0]).toEqual([total, change]);
  for (const [each, cents] of paid) move(each, cents);
  move(own, -change);
  expect(await centsOf(shop)).toEqual(desk);

  const money = moneyOf(own, total, paid);
  let returned = 0;
  for (const back of [...given.backs, { part: 1, foreign: 1 }]) {
    const step = { ...back, id: sale.id, isRestNamed: given.isRestNamed, money };
    const went = await giveBack(till, step);
    takeBack(money, went);
    returned += went.due;
    for (const { other } of money.foreign.slice(0, 1)) move(other, -went.cents);
    move(own, -went.inOwn);
    expect(await centsOf(shop)).toEqual(desk);
  }
  const payouts = (await returnsOf(shop, sale.id)).flatMap(({ transactions }) => transactions);
  expect(payouts.reduce((sum, { counted_amount }) => sum + counted_amount, 0)).toBe(total);
  expect(returned).toBe(total);
  for (const { gone, came } of money.foreign) expect(gone).toBeLessThanOrEqual(came);
}

test.each(Currency.options)(
  'any cash pays for sales in %s, and goes back in parts: all adds up, and no more goes back than came',
  async (own) => {
    const till = await newTill(own);
    await fc.assert(
      fc.asyncProperty(shares, (given) => sellAndReturn(till, given)),
      { numRuns: 6 },
    );
    expect(await faultsOf(till.shop)).toEqual([]);
  },
);
