import { expect, test } from 'vitest';
import * as z from 'zod';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { documentRef } from '#lib/trade/document/lines.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { faultsOf, plantInTest } from '#tests/support/books.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newShop } from '#tests/support/shop.ts';
import { newWarehouse, receiveGoods } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { send } from '#tests/support/transfers.ts';
import { writeOffAtOnce, writeOffOf } from '#tests/support/write-offs.ts';

/** Line with its goods; its other fields stay. */
const Line = z.looseObject({ batches: z.array(BatchPart) });

/** Creates a shop whose goods of one product are wherever goods can be. */
async function newBooks() {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const product_id = (await addProduct(token, shop.catalog)).number('id');
  const products = [{ product_id, quantity: 30, cost: 40 }];
  const receipt = await receiveGoods(token, { stock_id, products });
  const sale = await sellFor(shop, {
    products: [{ product_id, sold_quantity: 3 }],
    transactions: [{ payment_type: 'cash', amount: 15_000 }],
  });
  const [line] = await linesOfSale(shop, sale);
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000))).status).toBe(200);
  const hold = (await holdGoods(shop, { products: [{ product_id, quantity: 4 }] })).number('id');
  const secondId = await newWarehouse(token, 'Второй');
  const [batch = 0] = (await readLines(goodsReceipts.line, refOf(shop, goodsReceipts, receipt), 1)).map(
    ({ id }) => id,
  );
  const received = { token, goods: [product_id], batches: [batch], receiptId: receipt, supplierId: 0 };
  const depot = { ...shop, ...received, secondId };
  const writeOff = await writeOffAtOnce(token, writeOffOf(depot));
  const transfer = await send(depot, 2);
  return { ...shop, product_id, receipt, sale, hold, writeOff, transfer };
}

function refOf(shop: { readonly companyId: number }, type: { readonly type: string }, id: number) {
  return documentRef(type, familyTenant(shop.companyId), id);
}

const books = await newBooks();

test('goods of every document are at the costs at which they came', async () => {
  expect(await faultsOf(books)).toEqual([]);
});

/** Raises the cost of the goods in a document's only line, as no operation does. */
async function raiseCost(type: { readonly type: string }, id: number): Promise<void> {
  const ref = refOf(books, type, id);
  const lines = await readLines(Line, ref, 1);
  const raised = lines.map(({ batches, ...line }) => {
    return { ...line, batches: batches.map((part) => ({ ...part, cost: part.cost + 1 })) };
  });
  for (const write of lineWrites(ref, raised)) {
    if (write.change.kind === 'put') await plantInTest(write.key, write.change.item);
  }
}

test.for<[string, number, () => Promise<void>]>([
  ['sale', 3, () => raiseCost(sales, books.sale)],
  ['hold', 4, () => raiseCost(holds, books.hold)],
  ['write-off', 3, () => raiseCost(writeOffs, books.writeOff)],
  ['transfer', 2, () => raiseCost(stockTransfers, books.transfer)],
  [
    'stock level',
    19,
    () => {
      const level = stockLevelKey(familyTenant(books.companyId), books.stockId, books.product_id);
      return plantInTest(level, (item) => {
        const { batches } = z.looseObject({ batches: z.array(z.looseObject({ cost: z.int() })) }).parse(item);
        return { batches: batches.map((each) => ({ ...each, cost: each.cost + 1 })) };
      });
    },
  ],
])('goods of a %s at another cost are found', async ([_, pieces, damage]) => {
  await damage();
  const found = (await faultsOf(books)).filter((fault) => fault.startsWith('costs: '));
  const subject = `costs: product ${books.product_id}`;
  expect(found.sort()).toEqual([
    `${subject} has ${-pieces}00000000 more at 4000 uzs than its documents brought`,
    `${subject} has ${pieces}00000000 more at 4001 uzs than its documents brought`,
  ]);
});
