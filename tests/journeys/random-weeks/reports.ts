import { expect } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { daysAfter } from '#lib/values/time.ts';
import { cashRows, movementsOf } from './cash.ts';
import { debtRows } from './debts.ts';
import { readDebts, readMoney } from './documents.ts';
import type { PlayHistory } from './play.ts';
import { productRows } from './products.ts';
import { type Asked, salesRows, withEmptyDays } from './sales.ts';
import { stockRows, stockTotals } from './stock.ts';
import type { Goods, Weeks } from './weeks.ts';

/** Expects that every report says on a day what the documents up to then come to. */
export async function expectReports(weeks: Weeks, kept: PlayHistory, day: string): Promise<void> {
  await expectStock(weeks, kept);
  await expectDebts(weeks, day);
  await expectSales(weeks, kept, day);
  await expectProducts(weeks, kept, day);
  await expectCash(weeks, day);
}

async function expectStock(weeks: Weeks, kept: PlayHistory): Promise<void> {
  const groups = {
    stock: (_: unknown, stock: number) => stock,
    product: ({ id }: { id: number }) => id,
    category: ({ category_id }: { category_id: number }) => category_id,
    brand: ({ brand_id }: { brand_id: number | null }) => brand_id,
  };
  for (const [group, keyOf] of Object.entries(groups)) {
    const report = await weeks.director.call(`GET /company/report/stock?group=${group}`);
    expectSame(report, stockRows(weeks, kept, keyOf), stockTotals(weeks, kept));
  }
}

async function expectDebts({ director }: Weeks, day: string): Promise<void> {
  const debts = await readDebts(director);
  const totals = debtRows(debts, day, () => null);
  const clients = await director.call('GET /company/report/debts');
  expectSame(
    clients,
    debtRows(debts, day, ({ client_id }) => client_id),
    totals,
  );
  const companies = await director.call('GET /company/report/debts?group=company');
  expectSame(
    companies,
    debtRows(debts, day, ({ company_id }) => company_id),
    totals,
  );
}

/** Makes filters by company and desk: one that moves from one company to the other is among them. */
function filtersOf({ company_id, branch_id, places }: Weeks): [string, Asked['isAsked']][] {
  const desk = places[3]?.cashbox_id ?? 0;
  return [
    ['', () => true],
    [`&filter[company_id][]=${branch_id}`, (of) => of.company_id === branch_id],
    [
      `&filter[company_id][]=${company_id}&filter[cashbox_id][]=${desk}`,
      (of) => of.company_id === company_id && of.cashbox_id === desk,
    ],
  ];
}

async function expectSales(weeks: Weeks, kept: PlayHistory, today: string) {
  const groups = {
    day: ({ day }: { day: string }) => day,
    month: ({ day }: { day: string }) => day.slice(0, 7),
    company: (of: { company_id: number }) => of.company_id,
    cashbox: (of: { cashbox_id: number }) => of.cashbox_id,
    creator: (of: { creator_id: number }) => of.creator_id,
  };
  const filters = filtersOf(weeks);
  for (const [index, [group, keyOf]] of Object.entries(groups).entries()) {
    // Each group with one of the filters, another one on another day.
    for (const [filter, isAsked] of filters.slice(0, 1 + ((index + kept.sold.length) % filters.length))) {
      const asked = { from: group === 'day' ? daysAfter(today, -9) : '2026-02-20', to: today, isAsked };
      const query = `${periodOf(asked)}&group=${group}${filter}`;
      const report = await weeks.director.call(`GET /company/report/sales?${query}`);
      const totals = salesRows(kept, asked, () => null);
      const rows = salesRows(kept, asked, keyOf);
      const currencies = totals.length > 0 ? totals.map(({ currency }) => currency) : ['uzs'];
      expectSame(report, group === 'day' ? withEmptyDays(rows, asked, currencies) : rows, totals);
    }
  }
}

async function expectProducts(weeks: Weeks, kept: PlayHistory, today: string): Promise<void> {
  const { food, tea } = weeks.categories;
  const [stock = 0] = weeks.stockIds;
  const places: [string, Asked['isAsked']][] = [
    ...filtersOf(weeks),
    [`&filter[stock_id][]=${stock}`, ({ stock_id }) => stock_id === stock],
  ];
  const kinds: [string, (goods: Goods) => boolean][] = [
    ['', () => true],
    // Tea stands below food.
    [`&filter[category_id][]=${food}`, ({ category_id }) => [food, tea].includes(category_id)],
    [`&filter[category_id][]=${tea}`, ({ category_id }) => category_id === tea],
  ];
  for (const group of ['product', 'category', 'brand'] as const) {
    for (const [index, [place, isAsked]] of places.entries()) {
      // Each place with one of the kinds, another one on another day.
      const [kind, isOfGoods] = kinds[(index + kept.sold.length) % kinds.length] ?? ['', () => true];
      const asked = { from: daysAfter(today, -5), to: today, isAsked, isOfGoods, group };
      const query = `${periodOf(asked)}&group=${group}&page-size=200${place}${kind}`;
      const report = await weeks.director.call(`GET /company/report/products?${query}`);
      const { rows, totals } = productRows(kept, weeks.goods, asked);
      expectSame(report, rows, totals);
    }
  }
}

async function expectCash({ director, places }: Weeks, today: string): Promise<void> {
  const desks = places.map(({ cashbox_id }) => cashbox_id);
  const movements = movementsOf(await readMoney(director, desks));
  const ofDesks = desks.map((id) => `&filter[cashbox_id][]=${id}`).join('');
  for (const group of ['day', 'cashbox'] as const) {
    const period = { from: daysAfter(today, -4), to: today };
    const query = `${periodOf(period)}&group=${group}${ofDesks}`;
    const report = await director.call(`GET /company/report/cash?${query}`);
    const totals = cashRows(movements, { ...period, group: null });
    expectSame(report, cashRows(movements, { ...period, group }), totals);
  }
}

function periodOf({ from, to }: Pick<Asked, 'from' | 'to'>): string {
  return `filter[date][0]=${from}&filter[date][1]=${to}`;
}

/** Expects rows and totals of a report, in any order; what its keys are called is not the model's. */
function expectSame(report: Reply, data: readonly object[], totals: readonly object[]): void {
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  const unnamed = (rows: readonly Reply[]) =>
    rows.map(({ body }) => {
      const { label: _, ...figures } = Object(body);
      return figures;
    });
  expect(inOrder(unnamed(report.rows('data')))).toEqual(inOrder(data));
  expect(inOrder(unnamed(report.rows('totals')))).toEqual(inOrder(totals));
}
