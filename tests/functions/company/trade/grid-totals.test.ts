import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { RoleRights } from '#lib/auth/account.ts';
import { addClient } from '#tests/support/clients.ts';
import { correct, newSuppliedShop } from '#tests/support/cost-corrections.ts';
import { payDebt } from '#tests/support/debts.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newTill, operate, type Till } from '#tests/support/operations.ts';
import { errorsIn, make } from '#tests/support/records.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newService } from '#tests/support/services.ts';
import { newGoods } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';

const Row = z.looseObject({ id: z.int(), currency: z.string(), type: z.string().optional() });
const Total = z.looseObject({ currency: z.string(), count: z.int() });
const List = z.object({
  data: z.array(Row),
  meta: z.looseObject({ total: z.int(), last_page: z.int(), totals: z.array(Total).optional() }),
});

async function listed(path: string, token: string, query: string) {
  const { status, body } = await call(`GET ${path}?${query}`, { token });
  expect(status).toBe(200);
  return List.parse(body);
}

/** Counts an amount of the API in 1/100, as nothing else is exact. */
function centsOf(amount: unknown): bigint {
  return BigInt(Math.round(Number(amount) * 100));
}

/** Adds up amounts of the rows of all pages by currency; `income` and `outcome` by their type. */
function addedUp(rows: readonly z.output<typeof Row>[], names: readonly string[]) {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return ['uzs', 'usd', 'eur', 'rub'].flatMap((currency) => {
    const some = byCurrency.get(currency);
    if (!some) return [];
    const sums = names.map((name) => {
      const isDirection = name === 'income' || name === 'outcome';
      const counted = isDirection ? some.filter(({ type }) => type === name) : some;
      return [name, counted.reduce((sum, row) => sum + centsOf(row[isDirection ? 'amount' : name]), 0n)];
    });
    return [{ currency, count: some.length, ...Object.fromEntries(sums) }];
  });
}

/** Tests that totals are the sums of all pages of the same query, on each page. Returns the totals. */
async function expectTotals(path: string, token: string, names: readonly string[], query = '') {
  const rows: z.output<typeof Row>[] = [];
  const pages: z.output<typeof List>[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, meta } = await listed(path, token, `${query}&page=${page}&page-size=3&totals=true`);
    rows.push(...data);
    pages.push({ data, meta });
    last = meta.last_page;
  }
  const expected = addedUp(rows, names);
  for (const { meta } of pages) {
    const shown = meta.totals?.map(({ currency, count, ...amounts }) => ({
      ...{ currency, count },
      ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, centsOf(amount)])),
    }));
    expect([path, query, shown]).toEqual([path, query, expected]);
    expect(meta.total).toBe(rows.length);
  }
  return pages[0]?.meta.totals ?? [];
}

const SALE = [
  ...['purchased_amount', 'discount_amount', 'sold_amount', 'vat_amount', 'returned_amount'],
  ...['received_amount', 'paid_out_amount', 'bonus_earned', 'bonus_taken_back', 'passed_on_amount'],
  ...['exchanged_amount', 'change_amount'],
];
const RETURN = ['amount', 'cost', 'vat_amount', 'written_off_amount'];
const DEBT = ['amount', 'repaid_amount', 'returned_amount', 'written_off_amount', 'remaining_amount'];
const DIRECTIONS = ['income', 'outcome'];

/** Creates a till with documents of all lists that have totals, but for those of suppliers. */
async function newTrade() {
  const till = await newTill(1_000_000);
  const { token } = till;
  const [tea, repair, client_id] = await Promise.all([
    newGoods(till, [{ quantity: 100, cost: 3000.33 }], { sale_price: 5000.1 }),
    newService(till),
    addClient(till),
  ]);
  const cash = (amount: number) => [{ payment_type: 'cash', amount }];
  const one = { products: [{ product_id: tea, sold_quantity: 1 }] };
  const sales = [
    await sellFor(till, { ...one, transactions: cash(5000.1) }),
    await sellFor(till, { ...one, transactions: [{ payment_type: 'card', amount: 5000.1 }] }),
    await sellFor(till, { ...one, services: [{ service_id: repair }], transactions: cash(25_000.1) }),
    await sellFor(till, {
      ...{ ...one, client_id, due_date: '2099-01-01' },
      transactions: [{ payment_type: 'debt', amount: 5000.1 }],
    }),
  ];
  const [first = 0, second = 0, , owing = 0] = sales;
  for (const sale of [first, second]) {
    const [line] = await linesOfSale(till, sale);
    const [way, amount] = sale === first ? ['cash', 2500.05] : ['card', 5000.1];
    const transactions = [{ payment_type: way, amount }];
    await sendReturn(till, sale, { ...back({ [line?.id ?? 0]: sale === first ? 0.5 : 1 }), transactions });
  }
  for (const [currency, amount] of [
    ['usd', 999_999_999_999.9],
    ['usd', 0.09],
    ['eur', 10.01],
    ['uzs', 7],
  ] as const) {
    const json = { client_id, currency, amount, due_date: '2020-01-01', comment: 'Тетрадь' };
    await make('/company/client/debt', token, json);
  }
  const debts = (await listed('/company/client/debt', token, 'filter[currency]=eur')).data;
  const json = { amount: 3.34, comment: 'Прощён' };
  await call(`PATCH /company/client/debt/${debts[0]?.id}/write-off`, { token, json });
  await payDebt(till, client_id, { cash: 5.5, card: 1 });
  const deposit = `/company/client/client/${client_id}/deposit-correction`;
  for (const [currency, amount] of [
    ['usd', 0.1],
    ['usd', 0.2],
    ['uzs', 100],
    ['uzs', -30.07],
  ] as const)
    await call(`POST ${deposit}`, { token, json: { currency, amount, comment: 'x' } });
  const byCard = { transactions: [{ payment_type: 'card', amount: 25_000.1 }] };
  await call(`PATCH /company/trade/sale/${sales[2]}/tender`, { token, json: byCard });
  await operate(till, 'income', 0.1);
  await operate(till, 'income', 0.2);
  await operate(till, 'outcome', 7.77);
  await operate(till, 'income', 12.5, { currency: 'usd' });
  return { till, token, tea, repair, client_id, owing };
}

function transfersOf({ cashboxId }: Till): string {
  return `/company/cashbox/cashbox/${cashboxId}/transfers`;
}

test('totals are the amounts of the rows of all pages, exactly, under any filter (Part 5, 5B.7 (3), 5.0 (4))', async () => {
  const { till, token, tea, repair, client_id } = await newTrade();
  const currency = fc.constantFrom('uzs', 'usd', 'eur', 'rub');
  const lists: [string, string[], Record<string, fc.Arbitrary<unknown>>][] = [
    [
      '/company/trade/sale',
      SALE,
      {
        ...{ product_id: fc.constantFrom(tea, 999), service_id: fc.constant(repair), currency },
        ...{ payment_type: fc.constantFrom('cash', 'card', 'debt'), client_id: fc.constant(client_id) },
        status: fc.constantFrom('completed', 'partial_returned', 'full_returned'),
      },
    ],
    [
      '/company/trade/sale/return',
      RETURN,
      { product_id: fc.constantFrom(tea, 999), reason: fc.constantFrom('defective', 'not_match') },
    ],
    [
      '/company/client/debt',
      DEBT,
      { currency, status: fc.constantFrom('not_repaid', 'partially_repaid', 'written_off') },
    ],
    ['/company/client/debt-payment', ['amount'], { payment_type: fc.constantFrom('cash', 'card'), currency }],
    ['/company/client/debt-writeoff', ['amount'], { currency, client_id: fc.constantFrom(client_id, 999) }],
    ['/company/client/deposit', ['amount'], { currency, type: fc.constantFrom('correction', 'income') }],
    ['/company/trade/sale/tender', [], { currency, sale_id: fc.constantFrom(1, 2, 3) }],
    ['/company/cashbox/operation', DIRECTIONS, { currency, type: fc.constantFrom('income', 'outcome') }],
    [
      transfersOf(till),
      DIRECTIONS,
      { currency, source_type: fc.constantFrom('sale', 'reason', 'debt_payment') },
    ],
  ];
  for (const [path, names, filters] of lists) {
    const all = await expectTotals(path, token, names);
    expect([path, all.length > 0]).toEqual([path, true]);
    const asked = fc.record(filters, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(asked, async (values) => {
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(values)) query.set(`filter[${name}]`, String(value));
        await expectTotals(path, token, names, `${query}`);
      }),
      { numRuns: 6 },
    );
  }
});

test('totals of receipts and of cost corrections have the amounts in their own currency (Part 5, 5B.7 (3), 5.0 (4))', async () => {
  const shop = await newSuppliedShop(2);
  const products = shop.goods.map((product_id) => ({ product_id, quantity: 1, cost: 0.07 }));
  await receiveGoods(shop.token, { stock_id: shop.stockId, currency: 'usd', products });
  await correct(shop, [3.33, 1.1]);
  await correct(shop, [3.34]);
  const receipts = await expectTotals('/company/trade/purchase', shop.token, ['amount']);
  expect(receipts.map(({ currency, count }) => [currency, count])).toEqual([
    ['uzs', 1],
    ['usd', 1],
  ]);
  await expectTotals('/company/trade/cost-correction', shop.token, ['amount', 'gone_amount']);
});

test('sums that no double holds by adding are exact (Part 5, 5B.7 (3))', async () => {
  const { till, token } = await newTrade();
  const [, usd] = await expectTotals('/company/client/debt', token, DEBT);
  expect(usd).toMatchObject({ currency: 'usd', count: 2, amount: 999_999_999_999.99 });
  const [, cents] = await expectTotals('/company/client/deposit', token, ['amount']);
  expect(cents).toEqual({ currency: 'usd', count: 2, amount: 0.3 });
  const reasons = 'filter[source_type]=reason&filter[currency]=uzs';
  const [money] = await expectTotals(transfersOf(till), token, DIRECTIONS, reasons);
  expect(money).toMatchObject({ outcome: 7.77 });
});

test('totals are of the rows within the caller’s reach, and none without rows (Part 5, 5B.7 (3))', async () => {
  const { till, token } = await newTrade();
  const other = await make('/company/cashbox/cashbox', token, { name: 'Desk 2', type: 'sale' });
  const rights = ['company.trade.sale.index'];
  const [open, closed] = await Promise.all([
    newEmployee(till, rights, { cashbox_ids: [till.cashboxId] }),
    newEmployee(till, rights, { cashbox_ids: [other] }),
  ]);
  const [all] = await expectTotals('/company/trade/sale', token, SALE);
  expect((await listed('/company/trade/sale', open, 'totals=true')).meta.totals).toMatchObject([
    { count: all?.count, sold_amount: all?.['sold_amount'] },
  ]);
  expect((await listed('/company/trade/sale', closed, 'totals=true')).meta.totals).toEqual([]);
});

test('costs in totals are null without the right to see them (Part 5, 5B.7 (3), 5A.13)', async () => {
  const { till, token } = await newTrade();
  const rights = ['company.trade.sale.index', 'company.trade.sale.return.index'];
  const desks = { cashbox_ids: [till.cashboxId] };
  const [blind, seeing] = await Promise.all([
    newEmployee(till, RoleRights.encode(rights), desks),
    newEmployee(till, RoleRights.encode([...rights, 'company.cost.show']), desks),
  ]);
  for (const [path, cost] of [
    ['/company/trade/sale', 'purchased_amount'],
    ['/company/trade/sale/return', 'cost'],
  ] as const) {
    const totalsFor = async (caller: string) => (await listed(path, caller, 'totals=true')).meta.totals;
    const [all] = (await totalsFor(token)) ?? [];
    expect(await totalsFor(seeing)).toEqual([all]);
    expect(await totalsFor(blind)).toEqual([{ ...all, [cost]: null }]);
    expect(all?.[cost]).toBeGreaterThan(0);
  }
});

test('without totals=true there are none, and lists without amounts refuse it (Part 5, 5B.7 (3))', async () => {
  const { token } = await newTrade();
  expect((await listed('/company/trade/sale', token, '')).meta).not.toHaveProperty('totals');
  expect((await listed('/company/trade/sale', token, 'totals=false')).meta).not.toHaveProperty('totals');
  for (const path of ['/company/trade/hold', '/company/trade/inventory', '/company/stock/stock'])
    expect(Object.keys(Object(await errorsIn(`${path}?totals=true`, token)))).toEqual(['totals']);
  expect(Object.keys(Object(await errorsIn('/company/trade/sale?totals=maybe', token)))).toEqual(['totals']);
});

test('a page with lines has its totals, too (Part 5, 5B.7 (3))', async () => {
  const { token } = await newTrade();
  const { data, meta } = await listed(
    '/company/trade/sale',
    token,
    'totals=true&with[]=products&page-size=2',
  );
  expect(data.map((row) => Array.isArray(row['products']))).toEqual([true, true]);
  expect(meta.totals).toMatchObject([{ currency: 'uzs', count: 4 }]);
});
