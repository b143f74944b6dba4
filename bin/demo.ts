import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { countGoods, raisePrice, setAside } from './demo/afternoon.ts';
import { tellBilling } from './demo/billing.ts';
import { shelvesOf, transfersOf } from './demo/books.ts';
import { expectReply, make, type Reply, weekFrom } from './demo/client.ts';
import { collectCash, payForDelivery, repayDebt } from './demo/evening.ts';
import { exchangeBottle, takeBack } from './demo/returns.ts';
import { workShift } from './demo/shift.ts';
import { newTenant } from './demo/tenant.ts';

/*
 * A day in a shop, over HTTP, against the service that `npm start` runs. With the word `billing`: how its
 * subscription is paid.
 */

const address = process.env['API'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
const screen = new Console(process.stdout);

try {
  await fetch(address);
} catch {
  process.stderr.write(`No service answers at ${address}. Start it in another terminal: npm start\n`);
  process.exit(1);
}

if (process.argv[2] === 'billing') {
  await tellBilling(address, say);
  process.exit();
}

const { director, hire, names, companyId } = await newTenant(address);
say(`The administrator founds a company; its director signs in as ${names.director}.`);

const text = (ru: string, uz: string, oz: string) => ({ ru, uz, oz });
await make(director, '/company/product/category', { name: text('Напитки', 'Ичимликлар', 'Ichimliklar') });
await make(director, '/company/product/category', { name: text('Чай', 'Чой', 'Choy') });
await make(director, '/company/product/unit', { name: text('бутылка', 'шиша', 'shisha'), accuracy: 0 });
await make(director, '/company/product/unit', { name: text('кило', 'кило', 'kilo'), accuracy: 3 });
for (const name of ['Hydrolife', 'Akbar']) {
  await make(director, '/company/product/brand', { name, image_old_keys: '[]' });
}
const stock_id = await make(director, '/company/stock/stock', { name: 'Ombor' });
const cashbox_id = await make(director, '/company/cashbox/cashbox', { name: 'Kassa 1', type: 'sale' });
say('He sets up two categories, two units, two brands, a warehouse and a cash desk.');

const header = ['Name', 'Category', 'Brand', 'Unit', 'Barcode', 'PLU', 'Price', 'Currency', 'Description'];
const workbook = await writeWorkbook('Products', header, [
  ['Suv 1,5 l', 'Ichimliklar', 'Hydrolife', 'shisha', '4780001', '', 4000, 'uzs', ''],
  ['Choy, koʻk', 'Choy', 'Akbar', 'kilo', '4780002', '', 60_000, 'uzs', ''],
]);
const form = new FormData();
form.append('file', new File([Buffer.from(workbook)], 'products.xlsx', { type: WORKBOOK_TYPE }));
await expectReply(200, director('POST /company/product/product/import', form));
say('His price list comes from an Excel file: water at 4 000 a bottle, green tea at 60 000 a kilo.');

const supplier_id = await make(director, '/company/stock/supplier', { name: 'Ulgurji' });
const receipt = await make(director, '/company/trade/purchase', {
  stock_id,
  supplier_id,
  currency: 'uzs',
  products: [
    { product_id: 1, quantity: 100, cost: 2500 },
    { product_id: 2, quantity: 20.5, cost: 42_000 },
  ],
});
await expectReply(200, director(`PATCH /company/trade/purchase/${receipt}/complete`));
const client_id = await make(director, '/company/client/client', {
  full_name: 'Aziza Karimova',
  main_phone: '998907654321',
});
say('Goods arrive: 100 bottles of water, 20.5 kilos of tea. They are owed to the supplier.');

const cashier = await hire({ cashbox_ids: [cashbox_id], stock_ids: [stock_id] });
const sell = (json: object, headers = {}) =>
  cashier('POST /company/trade/sale', { cashbox_id, stock_id, currency: 'uzs', ...json }, headers);

const paid = (payment_type: string, amount: number) => ({ payment_type, amount });
const sellAs = (json: object) =>
  make(cashier, '/company/trade/sale', { cashbox_id, stock_id, currency: 'uzs', ...json });
const bottles = await sellAs({
  products: [{ product_id: 1, sold_quantity: 2 }],
  transactions: [paid('cash', 8000)],
});
say(`The cashier, ${names.cashier}, sells two bottles for 8 000 in cash,`);

const tea = { products: [{ product_id: 2, sold_quantity: 0.25 }], transactions: [paid('card', 15_000)] };
await sellAs(tea);
say('250 grams of tea for 15 000 by card,');

const onDebt = {
  client_id,
  due_date: await weekFrom(director, `/company/client/client/${client_id}`),
  products: [
    { product_id: 1, sold_quantity: 6 },
    { product_id: 2, sold_quantity: 1 },
  ],
  transactions: [paid('cash', 34_000), paid('debt', 50_000)],
};
const owed = await sellAs(onDebt);
say('and six bottles with a kilo of tea to Aziza, who pays 34 000 and owes 50 000 for a week.');

const once = { 'idempotency-key': randomUUID() };
const water = { products: [{ product_id: 1, sold_quantity: 1 }], transactions: [paid('cash', 4000)] };
const first = await expectReply(200, sell(water, once));
const again = await expectReply(200, sell(water, once));
say(
  `The network hangs; the till sends a cheque again with the same key. It is sold once: ${codeOf(first)} and ` +
    `${codeOf(again)}, the second one marked Idempotent-Replayed: ${again.headers.get('idempotent-replayed')}.`,
);

const refused = await expectReply(
  422,
  sell({ ...water, products: [{ product_id: 1, sold_quantity: 1000 }] }),
);
say(`A thousand bottles are more than there are: ${JSON.stringify(refused.body)}`);

const shop = { companyId, director, cashier, stock_id, cashbox_id, say };
await setAside(shop);
await countGoods(shop);
await raisePrice(shop);
const dearer = { products: [{ product_id: 2, sold_quantity: 0.1 }], transactions: [paid('card', 6600)] };
await sellAs(dearer);
say('and 100 grams for 6 600.');

await takeBack(shop, owed);
await exchangeBottle(shop, bottles);
await payForDelivery(shop);
await repayDebt(shop, client_id);
await collectCash(shop);
await workShift(shop);

say('\nThe day ends. What came and went adds up to what is on the shelves,');
screen.table(await shelvesOf(director));
say('and what was paid, given back, spent and collected to what is in the desk and still owed.');
screen.table(await transfersOf(director, cashbox_id));

function say(sentence: string): void {
  screen.log(sentence);
}

function codeOf({ body }: Reply): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}
