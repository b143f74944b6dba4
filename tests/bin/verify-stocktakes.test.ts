import { expect, test } from 'vitest';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { faultsOf, plant } from '#tests/support/books.ts';
import { idsOf } from '#tests/support/records.ts';
import { PURCHASES } from '#tests/support/stock.ts';
import {
  count,
  endStocktake,
  newStoreForStocktake,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';

/** Creates a shop that counted two pieces less of one product and three more of another. */
async function newBooks() {
  const { shop, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  const [first, second, third] = products;
  await count(shop, id, [
    [first, 8],
    [second, 23],
    [third, 30],
  ]);
  await endStocktake(shop, id, 'complete');
  await waitUntilFinished(shop, products);
  return { shop, id, key: recordKey(stocktakes.type, familyTenant(shop.companyId), id) };
}

/** Goods of test support have no goods receipt. */
const own = (faults: readonly string[]) =>
  faults.filter((fault) => !/^documents: purchase \d+, line \d+, into warehouse \d+ moved/.test(fault));

test('books with a count of a shortage and a surplus add up', async () => {
  const { shop } = await newBooks();
  expect(own(await faultsOf(shop))).toEqual([]);
});

test('a count that says something else than its lines is found', async () => {
  const { shop, key } = await newBooks();
  await plant(key, { quantity_diff_above: 1, products_count: 4 });
  const faults = await faultsOf(shop);
  expect(faults).toContainEqual(
    expect.stringContaining('says 1 for quantity_diff_above, which its lines do not'),
  );
  expect(faults).toContainEqual(expect.stringContaining('says 4 for products_count, which its lines do not'));
});

test('a count whose surplus has no receipt is found', async () => {
  const { shop } = await newBooks();
  const [surplus = 0] = await idsOf(PURCHASES, shop.director);
  await plant(recordKey(goodsReceipts.type, familyTenant(shop.companyId), surplus), { inventory_id: null });
  expect(await faultsOf(shop)).toContainEqual(expect.stringContaining('is a surplus that no receipt has'));
});

test('a count in another warehouse than it moved goods in is found', async () => {
  const { shop, id, key } = await newBooks();
  await plant(key, { stock_id: 99 });
  const faults = await faultsOf(shop);
  expect(faults).toContainEqual(expect.stringMatching(RegExp(`counts: count ${id} line \\d+ moved nothing`)));
  expect(faults).toContainEqual(
    expect.stringMatching(RegExp(`documents: inventory ${id}, line \\d+, out of warehouse`)),
  );
});
