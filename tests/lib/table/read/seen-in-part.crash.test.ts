import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import * as report from '#functions/company/report/products.ts';
import * as stockReport from '#functions/company/report/stock.ts';
import * as balances from '#functions/company/stock/product/index.ts';
import { record as warehouse } from '#functions/company/stock/stock/index.ts';
import * as copies from '#functions/company/sync.ts';
import * as counts from '#functions/company/trade/inventory/index.ts';
import * as completion from '#functions/company/trade/purchase/[model]/complete.ts';
import * as sale from '#functions/company/trade/sale/index.ts';
import * as lateSales from '#functions/company/trade/sale/sync.ts';
import type { Endpoint } from '#lib/http/endpoint.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newEvent } from '#tests/support/event.ts';
import { offlineSaleBody } from '#tests/support/offline.ts';
import { make } from '#tests/support/records.ts';
import { lastDays } from '#tests/support/reports.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { newCards, newWarehouse, PURCHASES } from '#tests/support/stock.ts';
import { behindProxy, showInPart } from '#tests/support/table-faults.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

const proxy = await behindProxy();

interface Asked {
  readonly query?: string;
  readonly model?: number;
  readonly json?: unknown;
}

/** Calls an operation in this process, which is the one behind the proxy. */
async function ask(
  [method, endpoint]: readonly [string, Endpoint],
  token: string,
  { query = '', model, json }: Asked = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [event, context] = newEvent({ method });
  const { statusCode, body } = await endpoint(
    {
      ...event,
      rawQueryString: query,
      queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      ...(model !== undefined && { pathParameters: { model: String(model) } }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
      requestContext: { ...event.requestContext, timeEpoch: Date.now() },
    },
    context,
  );
  return { status: statusCode, body: JSON.parse(body) };
}

/** Creates a shop with goods, and the body of a sale of one piece. */
async function newScene(given: object = {}) {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const products = [{ product_id: id, sold_quantity: 1, price: 5000 }];
  const transactions = [{ payment_type: 'cash', amount: 5000 }];
  const json = saleBody(shop, { products, transactions, ...given });
  return { shop, id, json, tenant: familyTenant(shop.companyId), token: shop.director };
}

/** Creates a goods receipt of five pieces of new goods, to be completed. */
async function newReceipt(shop: Shop, stock_id: number) {
  const { director: token } = shop;
  const [product_id] = await newCards(shop, 1);
  const products = [{ product_id, quantity: 5, cost: 10 }];
  return make(PURCHASES, token, { currency: 'uzs', stock_id, products });
}

const SALES = ['POST', sale.POST] as const;

test('a key whose claim is visible and its sale not yet is that sale, never 409 (Part 4, 4.4 (1))', async () => {
  const { json, tenant, token } = await newScene({ key: 'till-1' });
  const sell = () => ask(SALES, token, { json });
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
  };
  const [first, second] = await showInPart(proxy, inPart, sell, sell);
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 200, body: { id: Object(first.body).id } });
});

test('a key whose goods are seen gone and its claim not yet is that sale, never 422 (Part 4, 4.4 (1))', async () => {
  const { json, tenant, token, id } = await newScene({ key: 'till-1' });
  const all = { ...json, products: [{ product_id: id, sold_quantity: 10, price: 5000 }] };
  const sell = () =>
    ask(SALES, token, { json: { ...all, transactions: [{ payment_type: 'cash', amount: 50_000 }] } });
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk.startsWith('sale-key#'),
  };
  const [first, second] = await showInPart(proxy, inPart, sell, sell);
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 200, body: { id: Object(first.body).id } });
});

test('a key of a batch whose claim is visible and its sale not yet is that sale (Part 4, 4.4 (1))', async () => {
  const { shop, id, tenant, token } = await newScene();
  const json = { sales: [offlineSaleBody(shop, id, 'till-1', {})] };
  const send = () => ask(['POST', lateSales.POST], token, { json });
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
  };
  const [, second] = await showInPart(proxy, inPart, send, send);
  expect(second).toMatchObject({ status: 200, body: { data: [{ status: 200, is_replayed: true }] } });
});

test('a key whose claim is seen and its refused sale not yet is kept once (Part 4, 4.4 (5))', async () => {
  const { shop, id, tenant, token } = await newScene();
  const transactions = [{ payment_type: 'cash', amount: 1 }];
  const json = { sales: [offlineSaleBody(shop, id, 'till-1', { transactions })] };
  const send = () => ask(['POST', lateSales.POST], token, { json });
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `refused-sale#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk === `refused-sale#${tenant}`,
  };
  const [first, second] = await showInPart(proxy, inPart, send, send);
  expect(first).toMatchObject({ body: { data: [{ status: 422, refused_id: expect.any(Number) }] } });
  const [kept] = Object(first.body).data;
  expect(second).toMatchObject({ body: { data: [{ status: 422, refused_id: kept.refused_id }] } });
});

test('a report of products whose lines are not seen yet has them (Part 4, 4.5)', async () => {
  const { json, tenant, token } = await newScene();
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `sale#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk.startsWith(`sale#${tenant}#`),
  };
  const [, told] = await showInPart(
    proxy,
    inPart,
    () => ask(SALES, token, { json }),
    () => ask(['GET', report.GET], token, { query: lastDays(1) }),
  );
  expect(told).toMatchObject({ status: 200, body: { totals: [{ quantity: 1 }] } });
});

test.each([
  ['the copy', copies.GET, 'types[]=stock.product'],
  ['the list', balances.GET, ''],
  ['the report', stockReport.GET, ''],
])('%s of balances has what is not seen yet beside its row', async (_, endpoint, query) => {
  const { shop, tenant, token } = await newScene();
  const model = await newReceipt(shop, shop.stockId);
  const inPart = {
    of: ({ pk }: { pk: string }) => pk === `stock-product#${tenant}`,
    isLate: ({ pk }: { pk: string }) => pk.startsWith(`balance#${tenant}`),
  };
  const [, told] = await showInPart(
    proxy,
    inPart,
    () => ask(['PATCH', completion.PATCH], token, { model }),
    () => ask(['GET', endpoint], token, { query }),
  );
  expect(told.status).toBe(200);
  expect(JSON.stringify(told.body)).toMatch(/"quantity":(5|15)\b/);
});

/** Runs an action on an empty warehouse while goods coming into it are visible in part. */
async function whileGoodsCome(
  meanwhile: (token: string, stockId: number) => ReturnType<typeof ask>,
): ReturnType<typeof ask> {
  const { shop, tenant, token } = await newScene();
  const stockId = await newWarehouse(token, randomUUID());
  const model = await newReceipt(shop, stockId);
  const isGoods = ({ pk }: { pk: string }) =>
    pk.startsWith(`balance#${tenant}`) || pk === `stock-product#${tenant}`;
  const [first, second] = await showInPart(
    proxy,
    { of: isGoods, isLate: isGoods },
    () => ask(['PATCH', completion.PATCH], token, { model }),
    () => meanwhile(token, stockId),
  );
  expect(first.status).toBe(200);
  return second;
}

test('a warehouse whose goods are not seen yet is not deleted (Contract 8)', async () => {
  const deletion = await whileGoodsCome((token, model) =>
    ask(['DELETE', warehouse.DELETE], token, { model }),
  );
  expect(deletion).toMatchObject({ status: 400, body: { code: 'stock.not_empty' } });
});

test('a full count has goods that are not seen yet (Contract 4)', async () => {
  const count = await whileGoodsCome((token, stock_id) =>
    ask(['POST', counts.POST], token, { json: { stock_id, type: 'full' } }),
  );
  expect(count).toMatchObject({ status: 200, body: { products_count: 1 } });
});
