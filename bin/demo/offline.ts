import { Console } from 'node:console';
import { renderInstant } from '#lib/values/time.ts';
import { print } from '../cli/main.ts';
import type { Reply } from '../cli/person.ts';
import { type Basket, receiveDelivery, SALE_ROUTE } from '../cli/trade.ts';
import { reconcileDesk, reconcileStock } from './books.ts';
import { moveClock } from './clock.ts';
import { openShop, TEA, WATER } from './goods.ts';
import { type DemoShop, withSpaces } from './shop.ts';
import { OfflineTill } from './till.ts';

const COFFEE = 3;

const HOUR_MS = 60 * 60 * 1000;

/** Offline sales in the first half of the day. */
const FIRST_HALF = [[[WATER, 2]], [[TEA, 0.5]], [[COFFEE, 1]]] as const;

/** Offline sales in the second half: the first takes more water than is left in stock by then. */
const SECOND_HALF = [
  [[WATER, 60]],
  [
    [WATER, 1],
    [COFFEE, 2],
  ],
] as const;

/**
 * Plays a day of an offline till, while prices, stock and rates change; in the end all adds up. Moves the
 * service's clock, and resets it.
 */
export async function playOffline(shop: DemoShop): Promise<void> {
  const { address, cashier, cashbox_id, stock_id } = shop;
  await openShop(shop);
  await offerCoffee(shop);
  const till = new OfflineTill(cashier, { cashbox_id, stock_id });
  print(`\nThe till syncs its replica: ${await till.load()} products and rates. Then the network goes.`);
  try {
    await passDay(shop, till);
    await addUp(shop);
  } finally {
    await moveClock(address, null);
  }
  print("The clock shows the machine's time again.");
}

/** Plays the offline day. The till sells at the prices of its replica, even after the shop's have changed. */
async function passDay(shop: DemoShop, till: OfflineTill): Promise<void> {
  const start = Date.now();
  const hour = (hours: number) => renderInstant(start + hours * HOUR_MS);
  const waitUntil = (at: string) => moveClock(shop.address, at.slice(0, 16).replace(' ', 'T'));
  for (const [index, basket] of FIRST_HALF.entries()) sellByReplica(till, basket, hour(2 + 2 * index));
  await waitUntil(hour(12));
  await changeShop(shop);
  for (const [index, basket] of SECOND_HALF.entries()) sellByReplica(till, basket, hour(14 + 2 * index));
  await waitUntil(hour(24));
  await uploadSales(shop, till);
}

async function addUp({ director, cashbox_id }: DemoShop): Promise<void> {
  const screen = new Console(process.stdout);
  print('\nGoods movements add up to the stock levels,');
  screen.table(await reconcileStock(director));
  print('and payments to the money in the desk.');
  screen.table(await reconcileDesk(director, cashbox_id));
}

/** Receives coffee, which is priced in dollars. */
async function offerCoffee({ director, stock_id }: DemoShop): Promise<void> {
  const kinds = { category_id: 2, brand_id: 2, unit_id: 2 };
  const price = { sale_price: 12, sale_currency: 'usd' };
  await director.make('/company/product/product', { name: 'Qahva', barcode: '4780003', ...kinds, ...price });
  await receiveDelivery(director, {
    stock_id,
    products: [{ product_id: COFFEE, quantity: 10, cost: 90_000 }],
  });
  print('Ten kilos of coffee come, too, at 12 dollars each.');
}

function sellByReplica(till: OfflineTill, basket: Basket, soldAt: string): void {
  print(`  ${soldAt}: sold for ${withSpaces(till.sell(basket, soldAt))} sums, by the copy.`);
}

/** Changes prices, a rate and the stock without the till's knowledge. */
async function changeShop({ companyId, director, sell }: DemoShop): Promise<void> {
  const prices = [
    [WATER, 4500],
    [TEA, 66_000],
  ].map(([product_id, sale_price]) => ({ product_id, sale_price, sale_currency: 'uzs' }));
  const repricing = { company_id: companyId, products: prices };
  await director.make('/company/trade/recalculation-batch', repricing);
  const rates = await director.call('GET /company/cashbox/currency-rate/settings');
  const dollar = rates.rows('rows').find((row) => row.text('currency') === 'usd');
  await director.call(`PUT /company/cashbox/currency-rate/${dollar?.number('id')}`, { rate: 12_900 });
  await sell([[WATER, 50]], { cash: 225_000 });
  print(
    'In the shop water costs 4 500 and tea 66 000 now, a dollar 12 900 sums; another till sells 50 bottles.',
  );
}

/** Uploads the sales, twice as the first response is lost; receives more water for the refused sale. */
async function uploadSales({ director, stock_id }: DemoShop, till: OfflineTill): Promise<void> {
  await till.send({ isAnswerLost: true });
  print('\nThe network is back. The till sends its sales; the response is lost, so it sends them again:');
  const rows = await till.send();
  new Console(process.stdout).table(rows.map(rowOf));
  const [refused] = (await director.call(`GET ${SALE_ROUTE}/refused`)).rows();
  if (!refused) throw new Error('No sale was refused');
  print(`Sale ${refused.text('key')} was paid, and waits: the goods are gone, by the books.`);
  await receiveDelivery(director, { stock_id, products: [{ product_id: WATER, quantity: 30, cost: 2500 }] });
  await director.call(`PATCH ${SALE_ROUTE}/refused/${refused.number('id')}/retry`);
  print(
    'A goods receipt of 30 bottles was forgotten. The director enters it and retries the sale: it is accepted.',
  );
  for (const row of rows) await expectOnce(director, row.text('key'));
  print('Each of the five sales is in the books once, at the price that was paid.');
}

function rowOf(row: Reply): object {
  const isSold = row.number('status') === 200;
  const outcome = { status: row.number('status'), again: row.flag('is_replayed') };
  if (!isSold) return { ...outcome, refused: row.text('code') };
  return { ...outcome, sale: row.number('sale.id'), paid: row.number('sale.sold_amount') };
}

/** Requires that a key belongs to one sale. */
async function expectOnce(director: DemoShop['director'], key: string): Promise<void> {
  const found = (await director.call(`GET ${SALE_ROUTE}?filter[key]=${key}`)).rows();
  if (found.length !== 1) throw new Error(`${key} was sold ${found.length} times`);
}
