import { randomUUID } from 'node:crypto';
import type { Person } from '../program/person.ts';
import { TEA, WATER } from './goods.ts';
import { type DemoGoods, type DemoShop, SALE_ROUTE, saleAt, withSpaces } from './shop.ts';

const WEEK_MS = 7 * 86_400_000;

/** Sells by cash, by card and on debt; gives the cheques that are returned later. */
export async function sellAtTheTill(shop: DemoShop, client_id: number) {
  const { director, cashier, names, say } = shop;
  const bottles = await cashier.make(SALE_ROUTE, saleAt(shop, [[WATER, 2]], { cash: 8000 }));
  say(`The cashier, ${names.cashier}, sells two bottles for 8 000 in cash,`);
  await cashier.make(SALE_ROUTE, saleAt(shop, [[TEA, 0.25]], { card: 15_000 }));
  say('250 grams of tea for 15 000 by card,');
  const goods: DemoGoods = [
    [WATER, 6],
    [TEA, 1],
  ];
  const due_date = await weekFrom(director, `/company/client/client/${client_id}`);
  const onDebt = { ...saleAt(shop, goods, { cash: 34_000, debt: 50_000 }), client_id, due_date };
  const owed = await cashier.make(SALE_ROUTE, onDebt);
  say('and six bottles with a kilo of tea to Aziza, who pays 34 000 and owes 50 000 for a week.');
  return { bottles, owed };
}

/** Sends a cheque twice, which is sold once, and asks for more than there is. */
export async function repeatCheque(shop: DemoShop): Promise<void> {
  const { cashier, say } = shop;
  const key = { 'idempotency-key': randomUUID() };
  const water = saleAt(shop, [[WATER, 1]], { cash: 4000 });
  const first = await cashier.call(`POST ${SALE_ROUTE}`, water, key);
  const again = await cashier.call(`POST ${SALE_ROUTE}`, water, key);
  say(
    `The network hangs; the till sends a cheque again with the same key. It is sold once: ` +
      `${first.text('code')} and ${again.text('code')}, the second one marked ` +
      `Idempotent-Replayed: ${again.headers.get('idempotent-replayed')}.`,
  );
  const tooMuch = saleAt(shop, [[WATER, 1000]], { cash: 4000 });
  const { body } = await cashier.expectRefusal(422, `POST ${SALE_ROUTE}`, tooMuch);
  say(`A thousand bottles are more than there are: ${JSON.stringify(body)}`);
}

/** Sets goods aside, and sells them to who asked for them. */
export async function setAside({ cashier, stock_id, cashbox_id, say }: DemoShop): Promise<void> {
  const hold = await cashier.call('POST /company/trade/hold', {
    ...{ cashbox_id, stock_id, full_name: 'Jasur', cheque: 1 },
    products: [{ product_id: WATER, quantity: 10 }],
  });
  say(
    "\nJasur calls: ten bottles are set aside for him. They leave the shelf at once, and are still the shop's.",
  );
  const amount = hold.number('amount');
  await cashier.make(SALE_ROUTE, {
    ...{ cashbox_id, stock_id, currency: 'uzs', hold_id: hold.number('id') },
    transactions: [{ payment_type: 'cash', amount }],
  });
  say(`He comes and pays ${withSpaces(amount)} in cash, which closes the hold.`);
}

/** Takes two bottles of a cheque back, which is owed in part: what they cost closes a part of its debt. */
export async function takeBack({ cashier, say }: DemoShop, sale: number): Promise<void> {
  const products = await bottlesOf(cashier, sale, { returned_quantity: 2, reason_type: 'defective' });
  const returned = await cashier.call(`PATCH ${SALE_ROUTE}/${sale}/return`, { products });
  const less = withSpaces(returned.number('returned_amount'));
  say(`\nAziza brings two bottles of cheque ${returned.text('code')} back: she owes ${less} less.`);
}

/** Takes a bottle of a cheque back for 100 grams of tea at 66 000; the difference is paid in cash. */
export async function exchangeBottle(shop: DemoShop, sale: number): Promise<void> {
  const { cashier, companyId: company_id, say } = shop;
  const how = { returned_quantity: 1, reason_type: 'not_match' };
  const returned_products = await bottlesOf(cashier, sale, how);
  const tea = saleAt(shop, [[TEA, 0.1]], { cash: 2600 });
  const exchange = { ...tea, company_id, returned_products };
  const exchanged = await cashier.call(`POST ${SALE_ROUTE}/${sale}/exchange`, exchange);
  say(
    `A bottle of cheque ${exchanged.text('original_sale.code')} is exchanged for 100 grams of tea: cheque ` +
      `${exchanged.text('exchange_sale.code')} of ${withSpaces(exchanged.number('exchange_sale.sold_amount'))}, ` +
      'of which 2 600 are paid in cash.',
  );
}

async function bottlesOf(cashier: Person, sale: number, how: object): Promise<object[]> {
  const lines = (await cashier.call(`GET ${SALE_ROUTE}/${sale}`)).rows('products');
  return lines
    .filter((line) => line.number('product_id') === WATER)
    .map((line) => ({ id: line.number('id'), ...how }));
}

/** Finds the day a week after a record was made, as the service has a clock of its own. */
async function weekFrom(person: Person, path: string): Promise<string> {
  const [day = ''] = (await person.call(`GET ${path}`)).text('created_at').split(' ');
  return new Date(Date.parse(day) + WEEK_MS).toISOString().slice(0, 10);
}
