import { expect, test } from 'vitest';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { familyTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { plantInTest, violationsOf } from '#tests/support/books.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { call } from '#tests/support/http.ts';
import { newShop, saleBody } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';
import { holdGoods, readHold } from '#tests/support/trade.ts';

/** Creates a shop with a hold in each state: in progress, canceled, sold. */
async function newBooks() {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const productId = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: productId, quantity: 20, cost: 3000 }] });
  const products = [{ product_id: productId, quantity: 4 }];
  const hold = async () => {
    const id = (await holdGoods(shop, { products })).number('id');
    const [line] = (await readHold(shop, id)).products;
    return { id, line: line?.id };
  };
  const [open, canceled, sold] = [await hold(), await hold(), await hold()];
  const less = { products: [{ product_id: productId, quantity: 1.5 }] };
  await call(`PATCH /company/trade/hold/${open.id}/update-products`, { token, json: less });
  await call(`PATCH /company/trade/hold/${canceled.id}/cancel`, { token });
  const paid = { transactions: [{ payment_type: 'cash', amount: 20_000 }] };
  await call('POST /company/trade/sale', { token, json: saleBody(shop, { hold_id: sold.id, ...paid }) });
  return { ...shop, productId, open, sold };
}

const books = await newBooks();

test('books with holds in all their states add up', async () => {
  expect(await violationsOf(books.companyId)).toEqual([]);
});

type Books = Awaited<ReturnType<typeof newBooks>>;

const DAMAGE: readonly [string, (books: Books) => string, (tenant: Tenant, books: Books) => Promise<void>][] =
  [
    [
      'a hold in progress that calls itself canceled',
      ({ open }) => `holds: line ${open.line} should keep 0, and keeps 150000000`,
      (tenant, { open }) => plantInTest(recordKey(holds.type, tenant, open.id), { status: 'canceled' }),
    ],
    [
      'a sold hold that calls itself open',
      ({ sold }) => `holds: line ${sold.line} should keep 400000000, and keeps 0`,
      (tenant, { sold }) => plantInTest(recordKey(holds.type, tenant, sold.id), { status: 'in_progress' }),
    ],
    [
      'a shelf that forgets what is held',
      () => 'goods: holds took 150000000 of it, it says 0',
      (tenant, { stockId, productId }) => plantInTest(stockLevelKey(tenant, stockId, productId), { held: 0 }),
    ],
  ];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(familyTenant(books.companyId), books);
  expect(await violationsOf(books.companyId)).toContain(said(books));
});
