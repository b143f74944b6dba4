import { randomUUID } from 'node:crypto';
import { print } from '../cli/main.ts';
import { SALE_ROUTE, saleAt } from '../cli/trade.ts';
import { TEA, WATER } from './goods.ts';
import { type DemoShop, withSpaces } from './shop.ts';

const WEEK_MS = 7 * 86_400_000;

/** Sells for cash, by card and on debt; returns the sales that are returned later. */
export async function sellAtDesk({ director, names, sell }: DemoShop, client_id: number) {
  const bottles = await sell([[WATER, 2]], { cash: 8000 });
  print(`The cashier, ${names.cashier}, sells two bottles for 8 000 in cash,`);
  await sell([[TEA, 0.25]], { card: 15_000 });
  print('250 grams of tea for 15 000 by card,');
  // The service has a clock of its own.
  const client = await director.call(`GET /company/client/client/${client_id}`);
  const [today = ''] = client.text('created_at').split(' ');
  const due_date = new Date(Date.parse(today) + WEEK_MS).toISOString().slice(0, 10);
  const [six, kilo] = [[WATER, 6] as const, [TEA, 1] as const];
  const owed = await sell([six, kilo], { cash: 34_000, debt: 50_000 }, { client_id, due_date });
  print('and six bottles with a kilo of tea to Aziza, who pays 34 000 and owes 50 000 for a week.');
  return { bottles, owed };
}

/** Sends a sale twice, which is saved once, and one that exceeds the stock. */
export async function repeatSale({ cashier, failToSell, ...shop }: DemoShop): Promise<void> {
  const key = { 'idempotency-key': randomUUID() };
  const water = saleAt(shop, [[WATER, 1]], { cash: 4000 });
  const first = await cashier.call(`POST ${SALE_ROUTE}`, water, key);
  const again = await cashier.call(`POST ${SALE_ROUTE}`, water, key);
  print(
    `The network hangs; the till sends a sale again with the same key. It is saved once: ` +
      `${first.text('code')} and ${again.text('code')}, the second one marked ` +
      `Idempotent-Replayed: ${again.headers.get('idempotent-replayed')}.`,
  );
  const refused = await failToSell(422, [[WATER, 1000]], { cash: 4000 });
  print(`A thousand bottles exceed the stock: ${refused}`);
}

/** Holds goods, and sells them to their customer. */
export async function holdAndSell({ cashier, stock_id, cashbox_id }: DemoShop): Promise<void> {
  const products = [{ product_id: WATER, quantity: 10 }];
  const order = { cashbox_id, stock_id, full_name: 'Jasur', cheque: 1, products };
  const hold = await cashier.call('POST /company/trade/hold', order);
  print(
    '\nJasur calls: ten bottles are put on hold. They leave the available stock at once, but not the shop.',
  );
  const amount = hold.number('amount');
  const sale = { cashbox_id, stock_id, currency: 'uzs', hold_id: hold.number('id') };
  await cashier.make(SALE_ROUTE, { ...sale, transactions: [{ payment_type: 'cash', amount }] });
  print(`He comes and pays ${withSpaces(amount)} in cash, which closes the hold.`);
}

/** Returns two bottles of a sale with a debt: their value closes a part of it. */
export async function returnGoodsOfSale(shop: DemoShop, sale: number): Promise<void> {
  const products = await bottlesOf(shop, sale, { returned_quantity: 2, reason_type: 'defective' });
  const returned = await shop.cashier.call(`PATCH ${SALE_ROUTE}/${sale}/return`, { products });
  const less = withSpaces(returned.number('returned_amount'));
  print(`\nAziza brings two bottles of sale ${returned.text('code')} back: her debt is ${less} less.`);
}

/** Exchanges a bottle of a sale for 100 grams of tea at 66 000; the difference is paid in cash. */
export async function exchangeBottle(shop: DemoShop, sale: number): Promise<void> {
  const returned_products = await bottlesOf(shop, sale, { returned_quantity: 1, reason_type: 'not_match' });
  const tea = saleAt(shop, [[TEA, 0.1]], { cash: 2600 });
  const exchange = { ...tea, company_id: shop.companyId, returned_products };
  const exchanged = await shop.cashier.call(`POST ${SALE_ROUTE}/${sale}/exchange`, exchange);
  print(
    `A bottle of sale ${exchanged.text('original_sale.code')} is exchanged for 100 grams of tea: sale ` +
      `${exchanged.text('exchange_sale.code')} of ${withSpaces(exchanged.number('exchange_sale.sold_amount'))}, ` +
      'of which 2 600 are paid in cash.',
  );
}

async function bottlesOf({ cashier }: DemoShop, sale: number, how: object): Promise<object[]> {
  const lines = (await cashier.call(`GET ${SALE_ROUTE}/${sale}`)).rows('products');
  const bottles = lines.filter((line) => line.number('product_id') === WATER);
  return bottles.map((line) => ({ id: line.number('id'), ...how }));
}
