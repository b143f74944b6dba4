import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { DeskMoney, deskMoneyKey, sumsIn } from '#lib/cash/desk/money.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { getItems } from '#lib/table/read/get.ts';
import { finishStocktake } from '#lib/trade/stocktake/finish.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { readCosts } from './random-day/cost.ts';
import { type Day, documentsOf, newDay } from './random-day/day.ts';
import { live } from './random-day/live.ts';
import { KINDS, type Kind, newWays } from './random-day/steps.ts';
import { readTender } from './random-day/tender.ts';

const PEOPLE = 5;
const STEPS_EACH = 32;

/** Distances of the picks that a step tries, so that a day seldom refuses a whole kind. */
const PICKS = [0, 1, 3];

/** What days must have done with other money than sums. */
const OTHER_MONEY = ['paid in usd', 'paid in eur', 'paid in rub', 'paid back', 'change'];

/** Steps that days must have taken. */
const MUST: Kind[] = ['shiftOpen', 'shiftClose', 'depositIncome', 'depositSale', 'depositBack'];

/** Days as a rule, and days at most until all that must be done was done: chance decides. */
const DAYS = 3;
const MAX_DAYS = 12;

async function expectBooks({ tenant, companyId: family_id }: Day): Promise<void> {
  for (const { id } of await documentsOf(tenant, stocktakes)) await finishStocktake({ family_id, id });
  const { violations } = await readBooks(family_id);
  const wrong = violations.map(async ({ book, subject, what, history }) => {
    return { what: `${book}: ${subject} ${what}`, history: JSON.stringify(await history()) };
  });
  expect(await Promise.all(wrong)).toEqual([]);
}

/** Expects that what came in at cost is all that is there, less what left. */
async function expectCosts(day: Day): Promise<void> {
  const costs = await readCosts(day);
  expect(costs.map(({ isNow, ...sums }) => ({ ...sums, cameIn: isNow }))).toEqual(
    costs.map(({ isNow: _, ...sums }) => sums),
  );
}

/** Expects that no stock level, no desk, and no client's debt or deposit has come below zero. */
async function expectNothingBelowZero({ tenant, ...day }: Day): Promise<void> {
  const [stockLevels, desks, clients] = await Promise.all([
    Promise.all(day.stockIds.map((id) => readStockLevels(tenant, id, day.productIds))),
    getItems(day.cashboxIds.map((id) => deskMoneyKey(tenant, id))),
    getItems(day.clientIds.map((id) => clientBalancesKey(tenant, id))),
  ]);
  const balances = stockLevels.flatMap(({ before }) => [...before.values()]);
  const sums = [
    ...balances.flatMap(({ quantity, held = 0 }) => [quantity, held]),
    ...balances.flatMap(({ batches }) => batches.map(({ left }) => left)),
    ...desks.flatMap((money) => Object.values(sumsIn(DeskMoney.parse(money)))),
    ...clients.flatMap((client) => {
      const { debt_uzs, deposit_uzs } = ClientBalances.parse(client);
      return [debt_uzs, deposit_uzs];
    }),
  ];
  expect(Math.min(...sums)).toBeGreaterThanOrEqual(0);
}

/**
 * Expects that no more went back in another currency than came in it, nor of all money than came, by cheques
 * and for their debts. Answers with what was done with other money.
 */
async function expectNothingGivenAway(day: Day): Promise<string[]> {
  const cheques = await readTender(day);
  const others = cheques.flatMap((each) => each.others);
  expect(others.filter(({ came, gone }) => gone > came)).toEqual([]);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const repaid = (await documentsOf(day.tenant, debts)).map(({ repaid_amount }) => repaid_amount);
  const came = sum([...cheques.map((each) => each.came), ...repaid]);
  expect(sum(cheques.map(({ gone }) => gone))).toBeLessThanOrEqual(came);
  return [
    ...others.filter(({ came }) => came > 0).map(({ currency }) => `paid in ${currency}`),
    ...others.filter(({ gone }) => gone > 0).map(() => 'paid back'),
    ...cheques.filter(({ change }) => change > 0).map(() => 'change'),
  ];
}

test('whatever people do side by side, and whoever is killed meanwhile, goods and money add up', async () => {
  const done = new Set<Kind>();
  const money = new Set<string>();
  const anyDay = fc.asyncProperty(fc.integer(), async (seed) => {
    const day = await newDay(PEOPLE);
    const ways = newWays(seed, PEOPLE, STEPS_EACH);
    const lives = await Promise.all(
      day.actors.map((actor, index) => live(day, actor, ways[index] ?? [], PICKS)),
    );
    for (const kind of lives.flat()) done.add(kind);
    await expectBooks(day);
    await expectCosts(day);
    await expectNothingBelowZero(day);
    for (const kind of await expectNothingGivenAway(day)) money.add(kind);
  });
  const isWhole = () => MUST.every((kind) => done.has(kind)) && OTHER_MONEY.every((kind) => money.has(kind));
  for (let days = 0; days < MAX_DAYS && !isWhole(); days += DAYS) {
    await fc.assert(anyDay, { numRuns: DAYS, endOnFailure: true });
  }
  // Some may find nothing to be done with, but a day on which most are refused shows nothing.
  expect(done.size).toBeGreaterThan(KINDS.length * 0.75);
  expect([...done]).toEqual(expect.arrayContaining(MUST));
  expect([...money]).toEqual(expect.arrayContaining(OTHER_MONEY));
});
