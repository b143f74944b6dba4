import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { addClient } from '#tests/support/clients.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn, idsOf } from '#tests/support/records.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newService } from '#tests/support/services.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { addMoney, newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newTeaSet } from '#tests/support/trade.ts';

const SALES = '/company/trade/sale';
const RETURNS = '/company/trade/sale/return';

const Sales = z.array(
  z.looseObject({
    id: z.int(),
    code: z.string(),
    sold_at: z.string(),
    sold_amount: z.number(),
    status: z.string(),
    transactions: z.array(z.looseObject({ payment_type: z.string() })),
    products: z.array(z.looseObject({ product_id: z.int() })),
    services: z.array(z.looseObject({ service_id: z.int() })),
  }),
);

const Returns = z.array(
  z.looseObject({
    id: z.int(),
    amount: z.number(),
    reason: z.string().nullable(),
    products: z.array(z.looseObject({ product_id: z.int() })),
  }),
);

async function rowsOf(path: string, token: string): Promise<unknown> {
  const { body } = await call(`GET ${path}`, { token });
  return Object(body).data;
}

/** Sells goods, a bundle and services, and takes some back for one reason and for two. */
async function newTrade() {
  const shop = await newShop();
  const dear = { sale_price: 5000 };
  const [tea, cup, repair, delivery, client_id, set] = await Promise.all([
    newGoods(shop, [{ quantity: 50, cost: 3000 }], dear),
    newGoods(shop, [{ quantity: 50, cost: 2000 }], dear),
    newService(shop),
    newService(shop),
    addClient(shop),
    newTeaSet(shop),
  ]);
  await addMoney(shop, { cash_uzs: 100_000_000 });
  const pay = (ways: Readonly<Record<string, number>>) =>
    Object.entries(ways).map(([payment_type, amount]) => ({ payment_type, amount }));
  const sold = [
    await sell(shop, { products: lines(tea, 2), transactions: pay({ cash: 10_000 }) }),
    await sell(shop, { products: [...lines(tea, 1), ...lines(cup, 1)], transactions: pay({ card: 10_000 }) }),
    await sell(shop, { products: lines(cup, 3), transactions: pay({ cash: 5000, bank: 10_000 }) }),
    await sell(shop, { services: [{ service_id: repair }], transactions: pay({ cash: 20_000 }) }),
    await sell(shop, {
      ...{ products: lines(tea, 1), services: [{ service_id: delivery }] },
      transactions: pay({ card: 25_000 }),
    }),
    await sell(shop, {
      ...{ client_id, due_date: '2099-01-01', products: lines(cup, 1) },
      transactions: pay({ debt: 5000 }),
    }),
  ];
  return { shop, tea, cup, repair, delivery, set, sold };
}

const lines = (product_id: number, sold_quantity: number) => [{ product_id, sold_quantity }];

function sell(shop: Shop, given: object): Promise<number> {
  return sellFor(shop, given);
}

test('sales are filtered by product, service, payment, sum and code as a plain filter does (Part 5, 5B.7 (2))', async () => {
  const { shop, tea, cup, repair, delivery, sold } = await newTrade();
  const token = shop.director;
  const all = Sales.parse(await rowsOf(`${SALES}?with[]=products`, token));
  expect(all).toHaveLength(sold.length);
  const sums = [...new Set(all.map(({ sold_amount }) => sold_amount))];
  const asked = fc.record(
    {
      product_id: fc.constantFrom(tea, cup, 999),
      service_id: fc.constantFrom(repair, delivery),
      payment_type: fc.constantFrom('cash', 'card', 'bank', 'debt', 'bonus'),
      from: fc.constantFrom(0, ...sums, 5000.01),
      to: fc.constantFrom(0, ...sums, 9999.99),
      code: fc.constantFrom(...sold.flatMap((id) => [`#${id}`, String(id)]), 'x', '#0'),
      status: fc.constantFrom('completed', 'full_returned'),
      sort: fc.constantFrom('sold_at', '-sold_at', 'sold_amount', '-sold_amount', 'id', '-id'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(asked, async ({ from, to, sort = '-id', ...exact }) => {
      const query = new URLSearchParams({ 'sort[]': sort });
      for (const [name, value] of Object.entries(exact)) query.set(`filter[${name}]`, String(value));
      if (from !== undefined) query.set('filter[sold_amount][0]', String(from));
      if (to !== undefined) query.set('filter[sold_amount][1]', String(to));
      const { body } = await call(`GET ${SALES}?${query}`, { token });
      const { product_id, service_id, payment_type, code, status } = exact;
      const expected = all.filter(
        (sale) =>
          (product_id === undefined || sale.products.some((line) => line.product_id === product_id)) &&
          (service_id === undefined || sale.services.some((line) => line.service_id === service_id)) &&
          (payment_type === undefined ||
            sale.transactions.some((each) => each.payment_type === payment_type)) &&
          (code === undefined || [sale.code, sale.code.slice(1)].includes(code)) &&
          (status === undefined || sale.status === status) &&
          sale.sold_amount >= (from ?? 0) &&
          sale.sold_amount <= (to ?? Number.POSITIVE_INFINITY),
      );
      expect(Object(body).meta.total).toBe(expected.length);
      expect(
        Sales.parse(Object(body).data.map((row: object) => ({ products: [], ...row }))).map(({ id }) => id),
      ).toEqual(inOrder(expected, sort).map(({ id }) => id));
    }),
    { numRuns: 60 },
  );
});

function inOrder<R extends { readonly id: number; readonly [field: string]: unknown }>(
  rows: readonly R[],
  sort: string,
): R[] {
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const ranked = (a: unknown, b: unknown) => (String(a).padStart(20) < String(b).padStart(20) ? -1 : 1);
  return rows.toSorted((a, b) => sign * (a[field] === b[field] ? a.id - b.id : ranked(a[field], b[field])));
}

test('a product that was sold in a bundle finds the sale (Part 5, 5B.7 (2))', async () => {
  const { shop, set } = await newTrade();
  const bundle = { bundles: [{ bundle_id: set.bundle_id, quantity: 1 }] };
  const id = await sell(shop, { ...bundle, transactions: [{ payment_type: 'cash', amount: 2000 }] });
  expect(await idsOf(SALES, shop.director, `filter[product_id]=${set.sugar}`)).toEqual([id]);
});

test('returns are filtered by product, reason and sum, and sorted by it (Part 5, 5B.7 (2))', async () => {
  const { shop, tea, cup, sold } = await newTrade();
  const token = shop.director;
  const [first = 0, second = 0] = sold;
  const [one] = await linesOfSale(shop, first);
  const both = await linesOfSale(shop, second);
  await sendReturn(shop, first, back({ [one?.id ?? 0]: 1 }, 5000));
  await sendReturn(shop, second, {
    products: both.map(({ id }, index) => ({
      ...{ id, returned_quantity: 1 },
      reason_type: index === 0 ? 'defective' : 'not_match',
    })),
    transactions: [{ payment_type: 'card', amount: 10_000 }],
  });
  await sendReturn(shop, first, {
    products: [{ id: one?.id, returned_quantity: 0.5, reason_type: 'not_match' }],
    transactions: [{ payment_type: 'cash', amount: 2500 }],
  });
  const all = Returns.parse(await rowsOf(RETURNS, token));
  expect(all).toHaveLength(3);
  const asked = fc.record(
    {
      product_id: fc.constantFrom(tea, cup, 999),
      reason: fc.constantFrom('defective', 'not_match', 'expired_date'),
      from: fc.constantFrom(0, 2500, 5000, 9000),
      to: fc.constantFrom(2500, 5000, 10_000),
      sort: fc.constantFrom('amount', '-amount', 'id', '-id'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(asked, async ({ product_id, reason, from, to, sort = '-id' }) => {
      const query = new URLSearchParams({ 'sort[]': sort });
      if (product_id !== undefined) query.set('filter[product_id]', String(product_id));
      if (reason !== undefined) query.set('filter[reason]', reason);
      if (from !== undefined) query.set('filter[amount][0]', String(from));
      if (to !== undefined) query.set('filter[amount][1]', String(to));
      const expected = all.filter(
        (row) =>
          (product_id === undefined || row.products.some((line) => line.product_id === product_id)) &&
          (reason === undefined || row.reason === reason) &&
          row.amount >= (from ?? 0) &&
          row.amount <= (to ?? Number.POSITIVE_INFINITY),
      );
      const found = Returns.parse(await rowsOf(`${RETURNS}?${query}`, token));
      expect(found.map(({ id }) => id)).toEqual(inOrder(expected, sort).map(({ id }) => id));
    }),
    { numRuns: 40 },
  );
});

test('a page of a filtered list has its own rows and the total of all (Part 5, 5B.7 (2))', async () => {
  const { shop, sold } = await newTrade();
  const query = 'filter[payment_type]=cash&sort[]=sold_amount&page-size=2';
  const { body } = await call(`GET ${SALES}?${query}&page=2`, { token: shop.director });
  expect(body).toMatchObject({ data: [{ id: sold[3] }], meta: { total: 3, last_page: 2, from: 3, to: 3 } });
});

test('the workbook has the rows of the same filters, in the same order (Part 5, 5B.7 (2))', async () => {
  const { shop, tea, sold } = await newTrade();
  const query = `filter[product_id]=${tea}&filter[payment_type]=card&sort[]=-sold_amount`;
  const { rows } = await downloadSheet(`${SALES}?${query}&format=excel`, shop.director);
  expect(rows.slice(1).map(([code]) => code)).toEqual([sold[4], sold[1]].map((id) => `#${id}`));
});

test('a filter that is no value of its field is 422 (Part 5, 5B.7 (2))', async () => {
  const { director: token } = await newShop();
  const wrong =
    'filter[payment_type]=gold&filter[sold_amount][0]=-1&filter[sold_amount][1]=0.001&filter[product_id]=x';
  expect(Object.keys(Object(await errorsIn(`${SALES}?${wrong}`, token))).sort()).toEqual([
    'filter.payment_type',
    'filter.product_id',
    'filter.sold_amount.0',
    'filter.sold_amount.1',
  ]);
  expect(
    Object.keys(Object(await errorsIn(`${RETURNS}?filter[reason]=x&sort[]=cost`, token))).sort(),
  ).toEqual(['filter.reason', 'sort.0']);
});
