import { expect, test } from 'vitest';
import * as z from 'zod';
import { linesOfPack, lineWrites } from '#lib/records/lines.ts';
import { familyTenant, partition, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { returnPackKey, SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { faultsOf, plant } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, sendOfflineSales } from '#tests/support/offline.ts';
import { back, readReturnList, returnsOf, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';
import { holdGoods, newTeaSet } from '#tests/support/trade.ts';

const Costs = z.object({
  purchased_amount: z.number(),
  discount_amount: z.number(),
  sold_amount: z.number(),
  products: z.array(
    z.looseObject({
      id: z.int(),
      price: z.number(),
      discount: z.number(),
      amount: z.number(),
      cost: z.number(),
      returned_cost: z.number(),
    }),
  ),
});

async function readCosts({ director: token }: Shop, sale: number) {
  return Costs.parse((await call(`GET /company/trade/sale/${sale}`, { token })).body);
}

/** Water of batches with odd costs in sums. */
const ODD = [
  { quantity: 1, cost: 1.35, currency: 'usd' as const },
  { quantity: 2, cost: 0.77, currency: 'eur' as const },
  { quantity: 10, cost: 333.33 },
];

function cash(amount: number) {
  return { transactions: [{ payment_type: 'cash', amount }] };
}

test('lines keep their costs, which add up to purchased_amount; a sale’s list shows them, too (Part 4, 4.5 (2))', async () => {
  const shop = await newShop();
  const [water, juice] = [await newGoods(shop, ODD), await newGoods(shop, [{ quantity: 5, cost: 100 }])];
  const sale = await sellFor(shop, {
    products: [
      { product_id: water, sold_quantity: 0.333 },
      { product_id: juice, sold_quantity: 2 },
    ],
    ...cash(11_665),
  });
  const { purchased_amount, discount_amount, products } = await readCosts(shop, sale);
  expect(products.map(({ cost }) => cost)).toEqual([5686.81, 200]);
  expect({ purchased_amount, discount_amount }).toEqual({ purchased_amount: 5886.81, discount_amount: 0 });
  const list = await call('GET /company/trade/sale?with[]=products', { token: shop.director });
  expect(list.body).toMatchObject({
    data: [{ discount_amount: 0, products: [{ cost: 5686.81 }, { cost: 200 }] }],
  });
});

test('however a line is returned, its returns take back its cost, and their headers the sum', async () => {
  const shop = await newShop();
  const water = await newGoods(shop, ODD);
  const sale = await sellFor(shop, {
    products: [{ product_id: water, sold_quantity: 3.1 }],
    ...cash(15_500),
  });
  const [line] = (await readCosts(shop, sale)).products;
  for (const [pieces, others] of [
    [0.7, 0.013],
    [1.333, 0.001],
    [1.067, 0],
  ] as const) {
    const paid = Math.round(pieces * 5000);
    expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: pieces }, paid))).status).toBe(200);
    // Another sale takes from the same batches in between.
    if (others > 0) expect((await sellOne(shop, water, others, 5000)).status).toBe(200);
  }
  const returns = await returnsOf(shop, sale);
  const costs = returns.flatMap(({ products }) => products.map(({ cost }) => cost));
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(Math.round((line?.cost ?? 0) * 100));
  expect((await readCosts(shop, sale)).products).toMatchObject([{ returned_cost: line?.cost }]);
  const headers = (await readReturnList(shop, sale)).map(({ cost }) => Math.round(Number(cost) * 100));
  expect(headers.toReversed()).toEqual(costs);
  expect(await faultsOf(shop)).toEqual([]);
});

test('discounts of lines and bundles are kept by lines: a bundle’s is shared as its price is', async () => {
  const shop = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(shop);
  const sale = await sellFor(shop, {
    products: [{ product_id: tea, sold_quantity: 1, discount: 100.5 }],
    bundles: [{ bundle_id, quantity: 2, discount: 90.01 }],
    ...cash(4809.49),
  });
  const { discount_amount, sold_amount, products } = await readCosts(shop, sale);
  // Apart they are 4 × 1000 and 1 × 500: eight ninths and one.
  expect(products).toMatchObject([
    { product_id: tea, discount: 100.5, amount: 899.5, price: 1000 },
    { product_id: tea, discount: 80.01, amount: 3475.55, price: 888.89 },
    { product_id: sugar, discount: 10, amount: 434.44, price: 444.44 },
  ]);
  expect({ discount_amount, sold_amount }).toEqual({ discount_amount: 190.51, sold_amount: 4809.49 });
});

test('a bundle cheaper than its parts is no discount, by its own price or by the body’s', async () => {
  const shop = await newShop();
  const { bundle_id } = await newTeaSet(shop);
  const bundles = [{ bundle_id, quantity: 1 }];
  const own = await sellFor(shop, { bundles, ...cash(2000) });
  const named = await sellFor(shop, { bundles: [{ ...bundles[0], price: 1500 }], ...cash(1500) });
  for (const sale of [own, named]) {
    const { discount_amount, products } = await readCosts(shop, sale);
    expect([discount_amount, ...products.map(({ discount }) => discount)]).toEqual([0, 0, 0]);
  }
});

test('sales of holds and late sales keep costs and discounts, and an exchange its goods’', async () => {
  const shop = await newShop();
  const water = await newGoods(shop, ODD);
  const held = await holdGoods(shop, { products: [{ product_id: water, quantity: 2 }] });
  const [offline] = await sendOfflineSales(shop, [
    offlineSaleBody(shop, water, 'till-1', {
      products: [{ product_id: water, sold_quantity: 1, price: 5000, discount: 50 }],
      ...cash(4950),
    }),
  ]);
  const sold = await sellFor(shop, { hold_id: held.number('id'), ...cash(10_000) });
  const [line] = (await readCosts(shop, sold)).products;
  const json = {
    ...saleBody(shop, { company_id: shop.companyId, products: [{ product_id: water, sold_quantity: 1 }] }),
    returned_products: [{ id: line?.id, reason_type: 'defective', returned_quantity: 1 }],
  };
  const { status, body } = await call(`POST /company/trade/sale/${sold}/exchange`, {
    token: shop.director,
    json,
  });
  expect(status).toBe(200);
  const { exchange_sale } = z.object({ exchange_sale: z.object({ id: z.int() }) }).parse(body);
  for (const [sale, discount] of [
    [sold, 0],
    [offline?.sale?.id ?? 0, 50],
    [exchange_sale.id, 0],
  ] as const) {
    const { purchased_amount, discount_amount, products } = await readCosts(shop, sale);
    expect(products.map(({ cost }) => cost)).toEqual([purchased_amount]);
    expect(purchased_amount).toBeGreaterThan(0);
    expect(discount_amount).toBe(discount);
  }
  const [back] = await readReturnList(shop, sold);
  expect((await readCosts(shop, sold)).products).toMatchObject([{ returned_cost: back?.['cost'] }]);
  expect(await faultsOf(shop)).toEqual([]);
});

/** Creates a sale of two lines, of which one was returned in part and the other whole. */
async function newBooks() {
  const shop = await newShop();
  const goods = [await newGoods(shop, ODD), await newGoods(shop, [{ quantity: 5, cost: 100 }])];
  const sale = await sellFor(shop, {
    products: goods.map((product_id) => ({ product_id, sold_quantity: 2 })),
    ...cash(20_000),
  });
  const [first, second] = (await readCosts(shop, sale)).products.map(({ id }) => id);
  await sendReturn(shop, sale, back({ [first ?? 0]: 1, [second ?? 0]: 2 }, 15_000));
  const [made] = await returnsOf(shop, sale);
  const { purchased_amount, products } = await readCosts(shop, sale);
  const cents = (name: 'cost' | 'returned_cost') => Math.round((products[0]?.[name] ?? 0) * 100);
  const figures = {
    whole: Math.round(purchased_amount * 100),
    cost: cents('cost'),
    came: cents('returned_cost'),
  };
  return { shop, sale, ids: [first ?? 0, second ?? 0], returnId: made?.id ?? 0, ...figures };
}

type Books = Awaited<ReturnType<typeof newBooks>>;
type Row = Readonly<Record<string, unknown>>;

type Figures = Readonly<Record<string, number>>;

/** Adds to a figure of one row of a return. */
async function addToReturned({ shop, sale, returnId }: Books, index: number, add: Figures) {
  const partitionKey = partition(SALE_RETURN, familyTenant(shop.companyId));
  const key = returnPackKey(partitionKey, { id: returnId, sale_id: sale }, 0);
  const { products } = z.object({ products: z.array(z.looseObject({})) }).parse(await getItem(key));
  await plant(key, { products: products.with(index, addTo(products[index], add)) });
}

/** Adds to a figure of the first line of a sale. */
async function addToSold({ shop, sale }: Books, add: Figures) {
  const place = { type: sales.type, tenant: familyTenant(shop.companyId), id: sale };
  const item = await getItem({ pk: `${partition(sales.type, place.tenant)}#${sale}`, sk: 'lines-000000' });
  const [first, ...others] = z.array(z.looseObject({})).parse(linesOfPack(item));
  for (const { key, change } of lineWrites(place, [addTo(first, add), ...others])) {
    if (change.kind === 'put') await plant(key, change.item);
  }
}

function addTo(row: Row = {}, add: Figures): Record<string, unknown> {
  return {
    ...row,
    ...Object.fromEntries(Object.entries(add).map(([name, by]) => [name, Number(row[name]) + by])),
  };
}

const DAMAGE: readonly [string, (books: Books) => string, (books: Books) => Promise<void>][] = [
  [
    'a cheque whose lines cost something else',
    ({ whole }) => `says purchased_amount ${whole + 1}, its lines come to ${whole}`,
    async ({ shop, sale, whole }) =>
      plant(recordKey(sales.type, familyTenant(shop.companyId), sale), { purchased_amount: whole + 1 }),
  ],
  [
    'a cheque whose lines have no such discount',
    () => 'says discount_amount 1, its lines come to 0',
    async ({ shop, sale }) =>
      plant(recordKey(sales.type, familyTenant(shop.companyId), sale), { discount_amount: 1 }),
  ],
  [
    'a line that has a discount, and its amount none',
    ({ ids }) => `line ${ids[0]} comes to 1000000 less 1, and says 1000000`,
    (books) => addToSold(books, { discount: 1 }),
  ],
  [
    'a line whose cost is not that of its batches',
    ({ ids, cost }) => `line ${ids[0]} did not cost ${cost + 10_000}`,
    (books) => addToSold(books, { cost: 10_000 }),
  ],
  [
    'a line that says another cost came back',
    ({ ids, came }) => `line ${ids[0]} says that ${came + 1} of its cost came back, its returns ${came}`,
    (books) => addToSold(books, { returned_cost: 1 }),
  ],
  [
    'a line that came back whole, and its cost did not',
    ({ ids }) => `line ${ids[1]} cost 20000, and 19999 of it came back`,
    (books) => addToReturned(books, 1, { cost: -1 }),
  ],
  [
    'a return whose cost is not that of its batches',
    ({ ids, came }) => `line ${ids[0]} did not take ${came + 100_000} back`,
    (books) => addToReturned(books, 0, { cost: 100_000 }),
  ],
];

test.each(DAMAGE)('the books find %s', async (_, said, damage) => {
  const books = await newBooks();
  await damage(books);
  const told = `sales: sale ${books.sale} ${said(books)}`;
  expect(await faultsOf(books.shop)).toContain(told);
});
