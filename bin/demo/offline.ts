import { Console } from 'node:console';
import { renderInstant } from '#lib/values/time.ts';
import { print } from '../program/main.ts';
import type { Reply } from '../program/person.ts';
import { SALE_ROUTE, takeDelivery } from '../program/trade.ts';
import { balanceDesk, balanceShelves } from './books.ts';
import { openShop, TEA, WATER } from './goods.ts';
import { type DemoShop, withSpaces } from './shop.ts';
import { OfflineTill } from './till.ts';

const COFFEE = 3;

const HOUR_MS = 60 * 60 * 1000;

/** What customers buy while there is no network: the fourth takes more water than there will be. */
const BASKETS = [
  [[WATER, 2]],
  [[TEA, 0.5]],
  [[COFFEE, 1]],
  [[WATER, 60]],
  [
    [WATER, 1],
    [COFFEE, 2],
  ],
] as const;

/** Plays a day of a till without a network, while prices, stock and rates move; in the end all adds up. */
export async function playOffline(shop: DemoShop): Promise<void> {
  const { director, cashier, cashbox_id, stock_id } = shop;
  await openShop(shop);
  await offerCoffee(shop);
  const till = new OfflineTill(cashier, { cashbox_id, stock_id });
  print(`\nThe till loads its copy: ${await till.load()} products and rates. Then the network goes.`);
  sellByTheCopy(till);
  await moveOn(shop);
  await comeBack(shop, till);
  const screen = new Console(process.stdout);
  print('\nWhat came and went adds up to what is on the shelves,');
  screen.table(await balanceShelves(director));
  print('and what was paid to what is in the desk.');
  screen.table(await balanceDesk(director, cashbox_id));
}

/** Brings in coffee, which is priced in dollars. */
async function offerCoffee({ director, stock_id }: DemoShop): Promise<void> {
  const kinds = { category_id: 2, brand_id: 2, unit_id: 2 };
  const price = { sale_price: 12, sale_currency: 'usd' };
  await director.make('/company/product/product', { name: 'Qahva', barcode: '4780003', ...kinds, ...price });
  await takeDelivery(director, { stock_id, products: [{ product_id: COFFEE, quantity: 10, cost: 90_000 }] });
  print('Ten kilos of coffee come, too, at 12 dollars each.');
}

/** Sells all day long; the clock of the service stands at the evening. */
function sellByTheCopy(till: OfflineTill): void {
  const morning = Date.now() - 12 * HOUR_MS;
  for (const [index, basket] of BASKETS.entries()) {
    const soldAt = renderInstant(morning + 2 * index * HOUR_MS);
    print(`  ${soldAt}: sold for ${withSpaces(till.sell(basket, soldAt))} sums, by the copy.`);
  }
}

/** Has prices, a rate and the stock move, of which the till hears nothing. */
async function moveOn({ companyId, director, sell }: DemoShop): Promise<void> {
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
  print('Meanwhile water costs 4 500 and tea 66 000, a dollar 12 900 sums; another till sells 50 bottles.');
}

/** Sends what was sold, twice as the answer is lost; brings more water for the sale that the books refuse. */
async function comeBack({ director, stock_id }: DemoShop, till: OfflineTill): Promise<void> {
  await till.send({ isAnswerLost: true });
  print('\nThe network is back. The till sends its sales; the answer is lost, so it sends them again:');
  const rows = await till.send();
  new Console(process.stdout).table(rows.map(rowOf));
  const [refused] = (await director.call(`GET ${SALE_ROUTE}/refused`)).rows();
  if (!refused) throw new Error('No sale waits');
  print(`Sale ${refused.text('key')} was paid, and waits: the goods are gone, by the books.`);
  await takeDelivery(director, { stock_id, products: [{ product_id: WATER, quantity: 30, cost: 2500 }] });
  await director.call(`PATCH ${SALE_ROUTE}/refused/${refused.number('id')}/retry`);
  print('A receipt was forgotten: 30 bottles. The director enters it and tries again: it is sold.');
  for (const row of rows) await expectOnce(director, row.text('key'));
  print('Each of the five sales is in the books once, at the price that was paid.');
}

function rowOf(row: Reply): object {
  const isSold = row.number('status') === 200;
  const told = { status: row.number('status'), again: row.flag('is_replayed') };
  if (!isSold) return { ...told, refused: row.text('code') };
  return { ...told, sale: row.number('sale.id'), paid: row.number('sale.sold_amount') };
}

/** Requires a key to be that of one sale. */
async function expectOnce(director: DemoShop['director'], key: string): Promise<void> {
  const found = (await director.call(`GET ${SALE_ROUTE}?filter[key]=${key}`)).rows();
  if (found.length !== 1) throw new Error(`${key} was sold ${found.length} times`);
}
