import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { withEarnings } from '#lib/clients/bonus-share.ts';
import type { Earning } from '#lib/clients/bonuses.ts';
import { ClientBalances } from '#lib/clients/client-balances.ts';
import { debtAfter } from '#lib/clients/debt/change.ts';
import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { decideRefund, type RefundFacts } from '#lib/trade/debt-payment/decide-refund.ts';
import { addPassedMoney, allocateRefund } from '#lib/trade/return/allocate-refund.ts';
import { applyBonusTransfers, moveBonuses } from '#lib/trade/return/bonuses.ts';
import { closePurses, type OpenPurses, openPurses, purseOfHeir } from '#lib/trade/return/chain-purses.ts';
import { leastDepositOf } from '#lib/trade/return/deposit-payout.ts';
import { countPayouts, type Payout } from '#lib/trade/return/payout.ts';
import { coinsWithin, type Purse, saleRemainder, withPurse } from '#lib/trade/return/purse.ts';
import { moneyPaid, sumToDeposit } from '#lib/trade/sale/payments.ts';
import { MAX_AMOUNT, totalAmount } from '#lib/values/money.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { AT, cashier, codesOfRefusal, STORED_DOCUMENT } from '#tests/support/decisions.ts';
import { NO_BALANCES } from '#tests/support/sale-contexts.ts';
import { newDebtOf, newSaleOf, RATES } from '#tests/support/sales.ts';

type Sale = ReturnType<typeof newSaleOf>;

/** Sale of a chain, as an index into all of them, and its predecessors on debt. */
interface Link {
  readonly sale: Sale;
  readonly debt: ReturnType<typeof newDebtOf> | undefined;
  /** The earlier ones, the nearest first. */
  readonly path: readonly number[];
}

/** All sales descending from one, with the total money received and paid out. */
interface Chain {
  readonly links: Link[];
  /** Bonus rate on the money of each sale, in percent. */
  readonly percent: number;
  /** The client's bonuses. */
  bonuses: number;
  received: number;
  paidOut: number;
  /** Part of both that came from the client's deposit, or went there. */
  fromDeposit: number;
  toDeposit: number;
}

/** Amounts that an exchange passes on to its new sale. */
interface Passed {
  readonly money: number;
  readonly bonuses: readonly Earning[];
  readonly purses?: OpenPurses;
}

/** Money of a sale: all of it, its part from the deposit, and foreign cash in addition, in hundredths. */
interface Paid {
  readonly money: number;
  readonly deposit?: number;
  readonly coins?: number;
}

/** Value of a hundredth of a dollar on receipt; the rate has fallen since. */
const COIN = RATES.usd / 100;
const TODAY = { ...RATES, usd: RATES.usd - 12_345 };

const NO_DEBTS = { debt_uzs: 0, debt_usd: 0, debt_eur: 0, debt_rub: 0, is_deleted: false, bonus_version: 0 };

/** Computes the bonuses of a sale. */
function bonusesOf({ sale }: Pick<Link, 'sale'>): number {
  return sale.bonus_shares.reduce((sum, { amount, gone_amount }) => sum + amount - gone_amount, 0);
}

function debtIn({ debt }: Link): number {
  return debt ? remainderOf(debt) : 0;
}

function writtenOffIn({ debt }: Link): number {
  return debt?.written_off_amount ?? 0;
}

function paymentsOf({ deposit = 0, coins = 0 }: Paid): Sale['transactions'] {
  const details = { transfer_id: null, debt_id: null };
  const payments: Sale['transactions'] = [
    { ...details, payment_type: 'cash', currency: 'usd', amount: coins, counted_amount: coins * COIN },
    { ...details, payment_type: 'deposit', currency: 'uzs', amount: deposit, counted_amount: deposit },
  ];
  return payments.filter(({ amount }) => amount > 0);
}

function newLink(
  chain: Chain,
  parts: Paid & { readonly value: number; readonly debt: number; readonly passed?: Passed },
  path: readonly number[],
) {
  const { value, money, debt, passed = { money: 0, bonuses: [] } } = parts;
  const transactions = paymentsOf(parts);
  chain.fromDeposit += parts.deposit ?? 0;
  const earned = { day: `day ${chain.links.length % 3}`, amount: Math.round((money * chain.percent) / 100) };
  chain.received += money;
  chain.bonuses += earned.amount;
  const bonus_shares = withEarnings([], [earned, ...passed.bonuses]);
  const received_amount = money + passed.money;
  const made = newSaleOf({ sold_amount: value, received_amount, bonus_shares, transactions });
  const sale = passed.purses ? withPurse(made, purseOfHeir(passed.purses, made), undefined) : made;
  chain.links.push({ sale, debt: debt > 0 ? newDebtOf({ amount: debt }) : undefined, path });
}

function payout(payment_type: Payout['payment_type'], amount: number, currency: Payout['currency'] = null) {
  return { payment_type, payment_type_id: null, amount, currency };
}

/**
 * Pays an amount back as a cashier without the right to payouts of deposits: on wish the most dollars beside
 * the deposit, then the rest according to a preview, with the least amount to the deposit.
 */
function payBack(
  chain: Chain,
  sale: Sale,
  purse: Purse,
  { due, inDollars }: { due: number; inDollars: boolean },
) {
  const known = { sale, purse, rates: TODAY, clientSums: NO_BALANCES, mayPayOut: false };
  const count = (payouts: readonly Payout[], mayFallShort: boolean) => {
    const issues = new ValidationIssues();
    const counted = countPayouts({ ...known, mayFallShort }, due, payouts, issues);
    expect(issues.areAny).toBe(false);
    return counted;
  };
  const [dollars] = inDollars ? purse.cash : [];
  const coins = dollars ? coinsWithin(dollars, due - leastDepositOf(purse, due)) : 0;
  const foreign = coins > 0 ? [payout('cash', coins, 'usd')] : [];
  const { unpaid, leastDeposit } = count(foreign, true);
  const rest = [payout('deposit', leastDeposit), payout('cash', unpaid - leastDeposit)];
  expect(unpaid - leastDeposit).toBeGreaterThanOrEqual(0);
  const { payouts, left } = count([...foreign, ...rest.filter(({ amount }) => amount > 0)], false);
  expect(moneyPaid({ transactions: payouts })).toBe(due);
  chain.toDeposit += sumToDeposit(payouts);
  return left;
}

/** Returns goods of a value, and exchanges them for goods of another; pays out the difference. */
function takeBack(chain: Chain, at: number, value: number, goods: number, inDollars = false): Passed {
  const link = chain.links[at];
  if (!link) return { money: 0, bonuses: [] };
  const earlier = link.path.flatMap((index) => chain.links[index] ?? []);
  const origins = earlier.map(({ sale, debt }) => ({
    sale,
    debt: debt ?? newDebtOf({}),
    clientSums: undefined,
  }));
  const allotment = allocateRefund({ ...link, origins }, value, goods);
  const bonuses = { uzs: { spendable: chain.bonuses, waiting: {} } };
  const original = { ...link, origins, clientSums: ClientBalances.parse({ ...NO_DEBTS, bonuses }) };
  const moved = moveBonuses(original, allotment, { heir: link.sale.client_id, at: 1 });
  const held = chain.bonuses;
  chain.bonuses -= totalAmount(moved.takenBack);
  if (allotment.exchanged === value) expect(chain.bonuses).toBe(held);
  const { exchanged, passedOn, closed, writtenOff, due, origins: shares } = allotment;
  const open = openPurses(original, allotment);
  const own = payBack(chain, link.sale, open.own, { due, inDollars });
  const purses = closePurses(original, { ...open, own }, allotment);
  const sums = [exchanged, passedOn, due, ...[{ closed, writtenOff }, ...shares].flatMap(partsOf)];
  expect(Math.min(...sums)).toBeGreaterThanOrEqual(0);
  const gone = shares.reduce((sum, { money }) => sum + money, 0);
  const paid = { paid_out_amount: link.sale.paid_out_amount + due };
  const passed = { passed_on_amount: link.sale.passed_on_amount + passedOn };
  const returned = { returned_amount: link.sale.returned_amount + value };
  const after = { ...addPassedMoney({ ...link.sale, ...passed }, -gone), ...paid, ...returned, version: 1 };
  const withBonuses = { ...applyBonusTransfers(after, link.debt), version: 1 };
  const withOwn = withPurse(withBonuses, purses.own, link.debt);
  chain.links[at] = { ...link, sale: withOwn, debt: link.debt && closedBy(link.debt, allotment) };
  for (const [place, index] of link.path.entries()) {
    const before = chain.links[index];
    const share = shares[place];
    if (!before || !share) continue;
    const after = passUp(before, share.money, purses.origins[place]);
    const sale = { ...applyBonusTransfers(after, before.debt, moved.origins[place]), version: 1 };
    chain.links[index] = { ...before, sale, debt: before.debt && closedBy(before.debt, share) };
  }
  chain.paidOut += due;
  for (const { sale, debt } of chain.links) {
    const { money, goods: left } = saleRemainder(sale, debt);
    const owed = debt ? [remainderOf(debt), debt.written_off_amount ?? 0] : [];
    expect([money, left, ...owed].every((sum) => sum >= 0)).toBe(true);
    if (left === 0 && money === 0) expect(bonusesOf({ sale })).toBe(0);
  }
  expect(chain.links.reduce((sum, each) => sum + bonusesOf(each), 0) + totalAmount(moved.passedOn)).toBe(
    chain.bonuses,
  );
  return { money: passedOn, bonuses: moved.passedOn, purses: open };
}

/** Passes money on to an earlier sale. */
function passUp({ sale, debt }: Link, money: number, purse: Purse | undefined): Sale {
  const after = addPassedMoney(sale, money);
  return { ...(purse ? withPurse(after, purse, debt) : after), version: 1 };
}

interface Closing {
  readonly closed: number;
  readonly writtenOff: number;
}

function partsOf({ closed, writtenOff }: Closing): number[] {
  return [closed, writtenOff];
}

function closedBy<D extends StoredDebt>(debt: D, { closed, writtenOff }: Closing): D {
  // Outstanding debt is closed first.
  if (writtenOff > 0) expect(closed).toBe(remainderOf(debt));
  const change = { returned: closed + writtenOff, writtenOff: -writtenOff };
  return { ...debt, ...debtAfter(debt, change, 1) };
}

/** A share of a whole, in percent: doubles are mostly so small that they are none of an amount. */
const share = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  fc.constantFrom(0.5, 1),
);

interface Step {
  readonly kind: 'exchange' | 'return' | 'pay' | 'refund' | 'writeOff' | 'reverse';
  readonly which: number;
  readonly part: number;
  readonly goods: number;
  readonly onDebt: number;
  /** A payment is made or refunded by deposit; a refund of a return is in dollars. */
  readonly byDeposit: boolean;
  readonly inDollars: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>('exchange', 'return', 'pay', 'refund', 'writeOff', 'reverse'),
  which: share,
  part: share,
  goods: fc.integer({ min: 0, max: 20_000 }),
  onDebt: share,
  byDeposit: fc.boolean(),
  inDollars: fc.boolean(),
});

/** Pays a part of a debt; refunds one if it is negative. */
function pay(chain: Chain, at: number, repaid: number, isByDeposit: boolean): void {
  const link = chain.links[at];
  if (!link?.debt) return;
  const byDeposit = isByDeposit ? repaid : 0;
  const after = debtAfter(link.debt, { repaid, byDeposit }, 1);
  chain.links[at] = { ...link, debt: { ...link.debt, ...after } };
  chain.received += repaid;
  chain.fromDeposit += byDeposit;
}

/** Refunds a part of the payments of a debt by deposit, or else in cash, if a cashier may. */
function refund(chain: Chain, at: number, { part, byDeposit }: Step): void {
  const link = chain.links[at];
  if (!link?.debt) return;
  const { sale, debt } = link;
  const { repaid_amount, repaid_by_deposit = 0 } = debt;
  const amount = Math.floor((byDeposit ? repaid_by_deposit : repaid_amount - repaid_by_deposit) * part);
  const payment: RefundFacts['payment'] = {
    ...{ ...STORED_DOCUMENT, client_id: 1, debt_id: 1, cashbox_id: 2, currency: 'uzs', amount },
    payment_type: byDeposit ? 'deposit' : 'cash',
    ...{ is_refunded: false, is_imported: false, transfer_id: null, refund_transfer_id: null },
  };
  const money = { ...NO_MONEY, cash_uzs: MAX_AMOUNT };
  const desk = { id: 2, company_id: 1, type: 'sale', money } as const;
  const facts = { firstId: 1, payment, desk, sums: NO_BALANCES, debt, sale };
  const codes = codesOfRefusal(() => {
    const { saleAfter = sale } = decideRefund(cashier, facts, AT);
    chain.links[at] = { ...link, sale: { ...saleAfter, version: 1 } };
    pay(chain, at, -amount, byDeposit);
  });
  // It takes no money that has left the sale, or that came from the deposit.
  if (Object.keys(codes).length > 0) expect(codes).toEqual({ 400: 'debt_payment.paid_out' });
}

/** Writes off a part of a debt; reverses a write-off if it is negative. */
function writeOff(chain: Chain, at: number, writtenOff: number): void {
  const link = chain.links[at];
  if (!link?.debt) return;
  chain.links[at] = { ...link, debt: { ...link.debt, ...debtAfter(link.debt, { writtenOff }, 1) } };
}

function swap(chain: Chain, at: number, value: number, step: Step): void {
  const { goods, onDebt, byDeposit, inDollars } = step;
  const { debt: own, path = [] } = chain.links[at] ?? {};
  const passed = takeBack(chain, at, value, goods, inDollars);
  const surcharge = Math.max(0, goods - value);
  const debt = Math.floor(surcharge * onDebt);
  if (goods === 0) return;
  const money = surcharge - debt;
  const paid = { money, debt, deposit: byDeposit ? money : 0 };
  newLink(chain, { value: goods, ...paid, passed }, own ? [at, ...path] : path);
}

function live(chain: Chain, step: Step): void {
  const { kind, which, part, byDeposit, inDollars } = step;
  const at = Math.min(chain.links.length - 1, Math.floor(which * chain.links.length));
  const link = chain.links[at];
  if (!link) return;
  const value = Math.ceil((link.sale.sold_amount - link.sale.returned_amount) * part);
  if (kind === 'pay') pay(chain, at, Math.floor(debtIn(link) * part), byDeposit);
  else if (kind === 'refund') refund(chain, at, step);
  else if (kind === 'writeOff') writeOff(chain, at, Math.floor(debtIn(link) * part));
  else if (kind === 'reverse') writeOff(chain, at, -Math.floor(writtenOffIn(link) * part));
  else if (value > 0 && kind === 'exchange') swap(chain, at, value, step);
  else if (value > 0) takeBack(chain, at, value, 0, inDollars);
}

function newChain(percent = 0): Chain {
  return { links: [], percent, bonuses: 0, received: 0, paidOut: 0, fromDeposit: 0, toDeposit: 0 };
}

interface First {
  readonly money: number;
  readonly debt: number;
  readonly bonus: number;
  readonly deposit: number;
  readonly coins: number;
}

function run(first: First, steps: readonly Step[], percent: number): Chain {
  const chain = newChain(percent);
  const money = first.money + first.deposit + first.coins * COIN;
  newLink(chain, { ...first, money, value: money + first.debt + first.bonus }, []);
  for (const step of steps) live(chain, step);
  return chain;
}

const cents = fc.integer({ min: 0, max: 10_000 });
const someOrNone = fc.oneof(fc.constant(0), cents);
const someFirst = fc.record({
  ...{ money: someOrNone, debt: cents, bonus: someOrNone, deposit: someOrNone },
  coins: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })),
});

test('after any sales, exchanges and returns, bonuses are those earned by money that is still in sales (Contract 9.79)', () => {
  const moneyOf = ({ sale, debt }: Link) => saleRemainder(sale, debt).money;
  fc.assert(
    fc.property(someFirst, fc.array(step, { maxLength: 14 }), (first, steps) => {
      const unpaid = steps.filter(({ kind }) => kind === 'exchange' || kind === 'return');
      const chain = run(first, unpaid, 100);
      expect(chain.links.map(bonusesOf)).toEqual(chain.links.map(moneyOf));
    }),
    { numRuns: 3000 },
  );
});

test('whatever series of exchanges, returns, payments, refunds, write-offs and reversals: all goods back, nothing is owed or kept, and the deposit has what came from it (Part 5, 5A.6, 3)', () => {
  fc.assert(
    fc.property(
      someFirst,
      fc.array(step, { maxLength: 14 }),
      fc.integer({ min: 0, max: 100 }),
      fc.array(share, { minLength: 16, maxLength: 16 }),
      (first, steps, percent, order) => {
        const chain = run(first, steps, percent);
        const rest = chain.links.map((_, index) => index).sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
        for (const at of rest) {
          const link = chain.links[at];
          const left = link ? link.sale.sold_amount - link.sale.returned_amount : 0;
          for (const value of [Math.floor(left / 3), left - Math.floor(left / 3)]) {
            if (value > 0) takeBack(chain, at, value, 0, (order[at] ?? 0) > 0.5);
          }
        }
        expect(chain.links.map(debtIn)).toEqual(chain.links.map(() => 0));
        expect(chain.links.map(writtenOffIn)).toEqual(chain.links.map(() => 0));
        expect(chain.paidOut).toBe(chain.received);
        expect(chain.toDeposit).toBeGreaterThanOrEqual(chain.fromDeposit);
        expect([chain.bonuses, ...chain.links.map(bonusesOf)]).toEqual([0, ...chain.links.map(() => 0)]);
      },
    ),
    { numRuns: 3000 },
  );
});

test('an even exchange on a sale on debt, both returned: the debt is zero, and received money is paid out', () => {
  const chain = newChain();
  newLink(chain, { value: 10_000, money: 2000, debt: 8000 }, []);
  const passed = takeBack(chain, 0, 5000, 5000);
  newLink(chain, { value: 5000, money: 0, debt: 0, passed }, [0]);
  takeBack(chain, 1, 5000, 0);
  expect([chain.paidOut, ...chain.links.map(debtIn)]).toEqual([0, 3000, 0]);
  takeBack(chain, 0, 5000, 0);
  expect([chain.paidOut, ...chain.links.map(debtIn)]).toEqual([2000, 0, 0]);
});

test('an even exchange changes no bonuses, though a refund has taken the money with which they would go (Contract 9.79)', () => {
  const chain = newChain(50);
  newLink(chain, { value: 2000, money: 1000, debt: 1000 }, []);
  pay(chain, 0, 1000, false);
  takeBack(chain, 0, 1000, 0);
  pay(chain, 0, -1000, false);
  expect([chain.paidOut, chain.bonuses]).toEqual([1000, 250]);
  const passed = takeBack(chain, 0, 1000, 1000);
  newLink(chain, { value: 1000, money: 0, debt: 0, passed }, [0]);
  expect(chain.bonuses).toBe(250);
  takeBack(chain, 1, 1000, 0);
  expect([chain.bonuses, ...chain.links.map(debtIn)]).toEqual([0, 0, 0]);
});
