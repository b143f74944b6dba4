import { once } from 'node:events';
import { clientWith, tokenOf } from '#bin/demo/client.ts';
import { newClock } from '#bin/local/clock.ts';
import { startServer } from '#bin/local/server.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { startMeasured } from '../service.ts';
import { chequeOf, type Shop, setUpShop } from '../shop.ts';
import { useOfCount } from './count.ts';
import { dollarsFor, rowOf, together } from './dollars.ts';
import { idleMonth } from './idle.ts';
import { ASSUMED, PRICES } from './prices.ts';
import { synthesizeAll } from './templates.ts';
import { type Call, type TwoServices, useOf } from './use.ts';
import { warmMonth } from './warm.ts';

const SALE = 'POST /company/trade/sale';
const MILLION = 1_000_000;

/** A shop's month: a thousand sales a day, its counts, and what its screens read. */
const MONTH = { sales: 30_000, lines: 3, counts: 3, positions: 1000, reads: 200_000 };

/** Metrics that trade writes into the log: five of it, what was tried again, and what was recovered. */
const TRADE_METRICS = 7;

/**
 * Prices a million sales of several sizes, a shop's month, a month in which nobody calls, and one in which
 * the functions of a till's first minute are kept warm.
 */
export async function measureCost(): Promise<readonly object[]> {
  // With a stage, lines of the log have the figures that metrics are taken from.
  process.env['STAGE'] = 'bench';
  const service = await startMeasured();
  Object.assign(process.env, service.settings, { LOG_LEVEL: 'silent' });
  const token = await tokenOf(service.address, 'director');
  const client = clientWith(service.address, token);
  const shop = await setUpShop(client, MONTH.positions, 1, 10_000);
  const server = await startServer(await discoverRoutes(), async () => undefined, newClock(), 0);
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : undefined;
  const services = { service, client, seen: clientWith(`http://127.0.0.1:${port}`, token) };

  const rows: object[] = [];
  for (const lines of [1, 3, 10, 100]) {
    const use = await useOf(services, saleOf(shop, lines));
    rows.push(rowOf(`a million sales of ${lines}`, dollarsFor(MILLION, use)));
  }
  rows.push(rowOf("a shop's month", await monthOf(services, shop)));
  const resources = synthesizeAll('WARM=1');
  rows.push(rowOf('an idle month', idleMonth(resources)));
  rows.push(rowOf('a month of WARM=1, beside that', warmMonth(resources)));

  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  await service.stop();
  return rows;
}

async function monthOf(services: TwoServices, shop: Shop) {
  const sale = await useOf(services, saleOf(shop, MONTH.lines));
  const prices = [
    dollarsFor(MONTH.sales, sale),
    dollarsFor(MONTH.counts, await useOfCount(services, shop, MONTH.positions)),
  ];
  for (const route of READS) {
    const use = await useOf(services, { route, send: (client) => client(route) });
    prices.push(dollarsFor(MONTH.reads / READS.length, use));
  }
  const metrics = (TRADE_METRICS + ASSUMED.refusal_codes) * PRICES.month.metric;
  return { ...together(prices), fixed: metrics };
}

/** What the screens of a shop read. */
const READS = [
  'GET /company/product/product',
  'GET /company/stock/product',
  'GET /company/trade/sale',
  'GET /company/client/client',
];

function saleOf(shop: Shop, lines: number): Call {
  const cheque = chequeOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, lines));
  let sold = 0;
  return {
    route: SALE,
    send: (client) => client(SALE, cheque, { 'idempotency-key': `cost-${lines}-${sold++}` }),
  };
}
