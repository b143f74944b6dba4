import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withEarnings } from '#lib/clients/bonus-share.ts';
import type { Earning } from '#lib/clients/bonuses.ts';
import { ClientBalances } from '#lib/clients/client-balances.ts';
import { debtAfter } from '#lib/clients/debt/change.ts';
import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { addPassedMoney, allocateRefund } from '#lib/trade/return/allocate-refund.ts';
import { applyBonusTransfers, moveBonuses } from '#lib/trade/return/bonuses.ts';
import { saleRemainder } from '#lib/trade/return/purse.ts';
import { totalAmount } from '#lib/values/money.ts';
import { newDebtOf, newSaleOf } from '#tests/support/sales.ts';

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
}

/** Amounts that an exchange passes on to its new sale. */
interface Passed {
  readonly money: number;
  readonly bonuses: readonly Earning[];
}

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

function newLink(
  chain: Chain,
  parts: { value: number; money: number; debt: number; passed?: Passed },
  path: readonly number[],
) {
  const { value, money, debt, passed = { money: 0, bonuses: [] } } = parts;
  const earned = { day: `day ${chain.links.length % 3}`, amount: Math.round((money * chain.percent) / 100) };
  chain.received += money;
  chain.bonuses += earned.amount;
  const bonus_shares = withEarnings([], [earned, ...passed.bonuses]);
  const sale = newSaleOf({ sold_amount: value, received_amount: money + passed.money, bonus_shares });
  chain.links.push({ sale, debt: debt > 0 ? newDebtOf({ amount: debt }) : undefined, path });
}

/** Returns goods of a value, and exchanges them for goods of another; pays out the difference. */
function takeBack(chain: Chain, at: number, value: number, goods: number): Passed {
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
  const sums = [exchanged, passedOn, due, ...[{ closed, writtenOff }, ...shares].flatMap(partsOf)];
  expect(Math.min(...sums)).toBeGreaterThanOrEqual(0);
  const gone = shares.reduce((sum, { money }) => sum + money, 0);
  const paid = { paid_out_amount: link.sale.paid_out_amount + due };
  const passed = { passed_on_amount: link.sale.passed_on_amount + passedOn };
  const returned = { returned_amount: link.sale.returned_amount + value };
  const own = { ...addPassedMoney({ ...link.sale, ...passed }, -gone), ...paid, ...returned, version: 1 };
  const withOwn = { ...applyBonusTransfers(own, link.debt), version: 1 };
  chain.links[at] = { ...link, sale: withOwn, debt: link.debt && closedBy(link.debt, allotment) };
  for (const [place, index] of link.path.entries()) {
    const before = chain.links[index];
    const share = shares[place];
    if (!before || !share) continue;
    const after = addPassedMoney(before.sale, share.money);
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
  return { money: passedOn, bonuses: moved.passedOn };
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

const share = fc.double({ min: 0, max: 1, noNaN: true });

interface Step {
  readonly kind: 'exchange' | 'return' | 'pay' | 'refund' | 'writeOff' | 'reverse';
  readonly which: number;
  readonly part: number;
  readonly goods: number;
  readonly onDebt: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>('exchange', 'return', 'pay', 'refund', 'writeOff', 'reverse'),
  which: share,
  part: share,
  goods: fc.integer({ min: 0, max: 20_000 }),
  onDebt: share,
});

function pay(chain: Chain, at: number, amount: number): void {
  const link = chain.links[at];
  if (!link?.debt) return;
  const { money } = saleRemainder(link.sale, link.debt);
  // A refund takes no money that has left the sale, and none that was not paid.
  if (money + amount < 0 || link.debt.repaid_amount + amount < 0) return;
  chain.links[at] = { ...link, debt: { ...link.debt, ...debtAfter(link.debt, { repaid: amount }, 1) } };
  chain.received += amount;
}

/** Writes off a part of a debt; reverses a write-off if it is negative. */
function writeOff(chain: Chain, at: number, writtenOff: number): void {
  const link = chain.links[at];
  if (!link?.debt) return;
  chain.links[at] = { ...link, debt: { ...link.debt, ...debtAfter(link.debt, { writtenOff }, 1) } };
}

function swap(chain: Chain, at: number, value: number, { goods, onDebt }: Step): void {
  const { debt: own, path = [] } = chain.links[at] ?? {};
  const passed = takeBack(chain, at, value, goods);
  const surcharge = Math.max(0, goods - value);
  const debt = Math.floor(surcharge * onDebt);
  if (goods === 0) return;
  newLink(chain, { value: goods, money: surcharge - debt, debt, passed }, own ? [at, ...path] : path);
}

function live(chain: Chain, step: Step): void {
  const { kind, which, part } = step;
  const at = Math.min(chain.links.length - 1, Math.floor(which * chain.links.length));
  const link = chain.links[at];
  if (!link) return;
  const value = Math.ceil((link.sale.sold_amount - link.sale.returned_amount) * part);
  if (kind === 'pay') pay(chain, at, Math.floor(debtIn(link) * part));
  else if (kind === 'refund') pay(chain, at, -Math.floor((link.debt?.repaid_amount ?? 0) * part));
  else if (kind === 'writeOff') writeOff(chain, at, Math.floor(debtIn(link) * part));
  else if (kind === 'reverse') writeOff(chain, at, -Math.floor(writtenOffIn(link) * part));
  else if (value > 0 && kind === 'exchange') swap(chain, at, value, step);
  else if (value > 0) takeBack(chain, at, value, 0);
}

function newChain(percent = 0): Chain {
  return { links: [], percent, bonuses: 0, received: 0, paidOut: 0 };
}

interface First {
  readonly money: number;
  readonly debt: number;
  readonly bonus: number;
}

function run(first: First, steps: readonly Step[], percent: number): Chain {
  const chain = newChain(percent);
  newLink(chain, { ...first, value: first.money + first.debt + first.bonus }, []);
  for (const step of steps) live(chain, step);
  return chain;
}

const cents = fc.integer({ min: 0, max: 10_000 });
const someFirst = fc.record({ money: cents, debt: cents, bonus: fc.oneof(fc.constant(0), cents) });

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

test('whatever series of exchanges, returns, payments, refunds, write-offs and reversals: all goods back, nothing is owed or kept', () => {
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
            if (value > 0) takeBack(chain, at, value, 0);
          }
        }
        expect(chain.links.map(debtIn)).toEqual(chain.links.map(() => 0));
        expect(chain.links.map(writtenOffIn)).toEqual(chain.links.map(() => 0));
        expect(chain.paidOut).toBe(chain.received);
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
