import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { card } from '#tests/support/catalog.ts';
import { addClient } from '#tests/support/clients.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { sendOfflineSales } from '#tests/support/offline.ts';
import { make } from '#tests/support/records.ts';
import { enableShifts, SHIFTS, tryToClose, tryToOpen } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, saleBody, sellOne, setRate } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const REFUSED = `${SALES}/refused`;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Offline day of a till, with concurrent changes in the shop: `which` chooses among existing records. */
const step = fc.record({
  name: fc.constantFrom(
    ...([
      'sell',
      'sell',
      'sell',
      'sell',
      'lend',
      'lend',
      'load',
      'send',
      'send',
      'sendTwice',
      'sendOne',
    ] as const),
    ...(['price', 'price', 'rate', 'currency', 'buy', 'buy', 'receive', 'shift', 'shift', 'client'] as const),
    ...(['repeat', 'change', 'retry', 'dismiss', 'ordinary', 'stranger'] as const),
  ),
  which: fc.nat(20),
  isCashier: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Kept {
  readonly key: string;
  readonly body: object;
}

interface Day {
  readonly shop: Shop;
  readonly clientId: number;
  readonly goods: readonly number[];
  readonly cashier: string;
  /** A cashier of another desk. */
  readonly stranger: string;
  /** The till's prices, in sums. */
  copy: Record<number, number>;
  /** Sales made and not yet acknowledged. */
  kept: Kept[];
  /** All sales it has ever made. */
  readonly sold: Kept[];
}

const Rows = z.object({ data: z.array(z.looseObject({ id: z.int() })) });
const Page = Rows.extend({ meta: z.object({ last_page: z.int() }) });
const Prices = z.object({ data: z.array(z.looseObject({ id: z.int(), sale_price: z.number() })) });

async function newDay(): Promise<Day> {
  const shop = await newShop();
  const goods = [];
  for (const sale_price of [5000, 700]) {
    goods.push(await newGoods(shop, [{ quantity: 6, cost: 1 }], { sale_price, barcode: `${sale_price}` }));
  }
  await enableShifts(shop);
  await tryToOpen(shop);
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const rights = ['company.trade.sale.store', 'company.trade.sale.late'];
  const cashier = await newEmployee(shop, rights, places);
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const stranger = await newEmployee(shop, rights, { ...places, cashbox_ids: [other] });
  const clientId = await addClient(shop);
  const day = { shop, clientId, goods, cashier, stranger, copy: {}, kept: [], sold: [] };
  await load(day);
  return day;
}

async function load(day: Day): Promise<void> {
  const { body } = await call('GET /company/product/product', { token: day.shop.director });
  day.copy = Object.fromEntries(Prices.parse(body).data.map((each) => [each.id, each.sale_price]));
}

/** Sells by the replica, for cash or on debt, and stores the sale for upload. */
function sellOffline(day: Day, which: number, isLent: boolean): void {
  const product_id = day.goods[which % 2] ?? 0;
  const sold_quantity = 1 + (which % 3);
  // At times the cashier types a price that never existed.
  const price = (day.copy[product_id] ?? 0) + (which === 20 ? 1 : 0);
  const payment_type = isLent ? 'debt' : 'cash';
  const key = randomUUID();
  const body = saleBody(day.shop, {
    ...{ key, sold_at: renderInstant(Date.now() - (which * DAY_MS) / 24) },
    ...(isLent && { client_id: day.clientId, due_date: '2099-01-01' }),
    products: [{ product_id, sold_quantity, price }],
    transactions: [{ payment_type, amount: price * sold_quantity }],
  });
  day.kept.push({ key, body });
  day.sold.push({ key, body });
}

async function send(day: Day, token: string): Promise<void> {
  if (day.kept.length === 0) return;
  const rows = await sendOfflineSales(
    day.shop,
    day.kept.slice(0, 50).map(({ body }) => body),
    token,
  );
  const over = new Set(rows.filter(({ status }) => status !== 503).map(({ key }) => key));
  expect(
    rows.filter(({ status, refused_id }) => ![200, 503].includes(status) && refused_id === null),
  ).toEqual([]);
  day.kept = day.kept.filter(({ key }) => !over.has(key));
}

/** Runs an action on one of the waiting refused sales. */
async function settle({ shop: { director: token } }: Day, which: number, what: string, json?: object) {
  const { body } = await call(`GET ${REFUSED}?filter[status]=waiting`, { token });
  const { data } = Rows.parse(body);
  const one = data[which % Math.max(1, data.length)];
  if (one) await call(`PATCH ${REFUSED}/${one.id}/${what}`, { token, ...(json && { json }) });
}

const PLAYS: Readonly<Record<Step['name'], (day: Day, which: number, token: string) => Promise<unknown>>> = {
  sell: async (day, which) => sellOffline(day, which, false),
  lend: async (day, which) => sellOffline(day, which, true),
  load,
  send: (day, _, token) => send(day, token),
  /** The same batch twice side by side. */
  sendTwice: async (day, _, token) => {
    const before = day.kept;
    await Promise.all([send(day, token), send({ ...day, kept: [...before] }, day.shop.director)]);
  },
  /** One by the single call, whose response is lost. */
  sendOne: async ({ kept: [first] }, _, token) => first && call(`POST ${SALES}`, { token, json: first.body }),
  price: ({ shop, goods }, which) => {
    const barcode = which % 2 === 0 ? '5000' : '700';
    const json = card(shop.catalog, { barcode, sale_price: 100 + 300 * which });
    return call(`PUT /company/product/product/${goods[which % 2]}`, { token: shop.director, json });
  },
  rate: ({ shop }, which) => setRate(shop, 'usd', 10_000 + 100 * which),
  currency: ({ shop: { director: token } }, which) => {
    const json = { sale_currency: which % 2 === 0 ? 'uzs' : 'usd' };
    return call('PATCH /company/cashbox/currency-rate/settings', { token, json });
  },
  buy: ({ shop, goods, copy }, which) => {
    const id = goods[which % 2] ?? 0;
    return sellOne(shop, id, 1 + (which % 4), copy[id] ?? 0);
  },
  receive: async ({ shop: { director: token, stockId }, goods }, which) => {
    const products = [{ product_id: goods[which % 2], quantity: 3, cost: 1 }];
    const json = { stock_id: stockId, currency: 'uzs', products };
    const made = await call('POST /company/trade/purchase', { token, json });
    return call(`PATCH /company/trade/purchase/${made.number('id')}/complete`, { token });
  },
  shift: async ({ shop }) => {
    const { body } = await call(`GET ${SHIFTS}?filter[status]=open`, { token: shop.director });
    const open = Rows.safeParse(body).data?.data[0];
    return open ? tryToClose(shop, open.id, { closing_comment: 'Пересчёт' }) : tryToOpen(shop);
  },
  client: ({ shop: { director: token }, clientId }, which) => {
    const path = `/company/client/client/${clientId}`;
    return call(`DELETE ${which % 2 === 0 ? path : `${path}/restore`}`, { token });
  },
  /** A sold or stored sale is sent once more: the client was restored from an older disk. */
  repeat: async (day, which) => {
    const old = day.sold[which % Math.max(1, day.sold.length)];
    if (old && !day.kept.includes(old)) day.kept.push(old);
  },
  /** Another sale's key makes no sale of its own. */
  change: async ({ shop, sold }, which, token) => {
    const old = sold[which % Math.max(1, sold.length)];
    const body = old && { ...old.body, transactions: [{ payment_type: 'card', amount: 1 + which }] };
    return body && call(`POST ${SALES}`, { token: which % 2 === 0 ? token : shop.director, json: body });
  },
  retry: (day, which) => settle(day, which, 'retry'),
  dismiss: (day, which) => (which < 5 ? settle(day, which, 'dismiss', { comment: 'No' }) : Promise.resolve()),
  /** Another desk's cashier with the till's keys stores, changes and learns nothing. */
  stranger: async ({ shop, sold, stranger }, which) => {
    const old = sold[which % Math.max(1, sold.length)];
    if (!old) return;
    const nothing = { status: 422, sale: null, sale_id: null, refused_id: null };
    expect(await sendOfflineSales(shop, [old.body], stranger)).toMatchObject([nothing]);
  },
  ordinary: ({ shop, goods }, which) => sellOne(shop, goods[which % 2] ?? 0, 1, 1),
};

/** Counts the outcomes of each key: sales, and refused sales without one. */
async function countsByKey({ director: token }: Shop) {
  const [sales, refused] = await Promise.all([allRows(SALES, token), allRows(REFUSED, token)]);
  return (key: string) => ({
    sold: sales.filter((each) => each['key'] === key).length,
    waiting: refused.filter((each) => each['key'] === key && each['status'] !== 'sold').length,
  });
}

async function allRows(list: string, token: string) {
  const rows: z.output<typeof Rows>['data'] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = Page.parse((await call(`GET ${list}?page=${page}`, { token })).body);
    rows.push(...data);
    if (page >= meta.last_page) return rows;
  }
}

test('on any offline day every sale that happened is in the books once or waits as refused once (Part 4, 4.4)', async () => {
  const total = { sold: 0, waiting: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60, size: 'max' }), async (steps) => {
      const day = await newDay();
      for (const { name, which, isCashier } of steps) {
        await PLAYS[name](day, which, isCashier ? day.cashier : day.shop.director);
      }
      while (day.kept.length > 0) await send(day, day.shop.director);
      const countsOf = await countsByKey(day.shop);
      for (const { key } of day.sold) {
        const { sold, waiting } = countsOf(key);
        expect({ key, times: sold + waiting }).toEqual({ key, times: 1 });
        total.sold += sold;
        total.waiting += waiting;
      }
      expect(await faultsOf(day.shop)).toEqual([]);
    }),
    { numRuns: 25 },
  );
  // Days without sales, or without refusals, would test nothing.
  expect(Math.min(total.sold, total.waiting)).toBeGreaterThan(20);
});
