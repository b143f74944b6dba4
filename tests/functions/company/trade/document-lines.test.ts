import { expect, test } from 'vitest';
import * as z from 'zod';
import { makerOf } from '#lib/auth/actor.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { adjustmentHeader } from '#lib/trade/stocktake/adjustments.ts';
import { amountsOf, writeOffs } from '#lib/trade/write-off/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import { newShop, type Shop } from '#tests/support/shop.ts';
import { newCards, PURCHASES } from '#tests/support/stock.ts';
import { count, endStocktake, newStoreForStocktake, startStocktake } from '#tests/support/stocktakes.ts';
import { WRITE_OFFS } from '#tests/support/write-offs.ts';

const LINES = 1050;

/** Writes the goods receipt of a stocktake that found one more of each product. */
async function writeSurplus(shop: Shop, products: readonly number[]): Promise<string> {
  const tenant = familyTenant(shop.companyId);
  const id = await nextId(goodsReceipts.type, tenant);
  const worth = { quantity: ONE, cost: 100, amount: 100, sale_price: null };
  const lines = products.map((product_id, index) => ({ id: index + 1, product_id, ...worth }));
  const ofCount = { inventory_id: 1, comment: null, currency: 'uzs', amount: 100 * lines.length } as const;
  const receipt = { id, ...ofCount, ...headOf(shop), products_count: lines.length };
  await transact([
    documentInsertion(goodsReceipts, tenant, receipt),
    ...lineWrites({ type: goodsReceipts.type, tenant, id }, lines),
  ]);
  return `${PURCHASES}/${id}`;
}

/** Writes the write-off of a stocktake that found one less of each product. */
async function writeShortage(shop: Shop, products: readonly number[]): Promise<string> {
  const tenant = familyTenant(shop.companyId);
  const id = await nextId(writeOffs.type, tenant);
  const given = { source_product_id: null, quantity: ONE, reason: 'common_loss', comment: null, batches: [] };
  const lines = products.map((product_id, index) => ({ id: index + 1, product_id, ...given }));
  const ofCount = {
    source_type: 'inventory',
    source_id: 1,
    name: 'Count 1',
    amounts: amountsOf([]),
  } as const;
  const writeOff = { id, ...ofCount, ...headOf(shop), products_count: lines.length };
  await transact([
    documentInsertion(writeOffs, tenant, writeOff),
    ...lineWrites({ type: writeOffs.type, tenant, id }, lines),
  ]);
  return `${WRITE_OFFS}/${id}`;
}

function headOf({ directorId: id, companyId: company_id, stockId: stock_id }: Shop) {
  return adjustmentHeader({ count: { company_id, stock_id }, by: makerOf({ id }), at: Date.now() });
}

const Line = z.looseObject({ id: z.int(), product_id: z.int(), product: z.object({ id: z.int() }) });
const Lines = z.object({ data: z.array(Line), meta: z.object({ total: z.int() }) });
const Whole = z.object({ products_count: z.int(), products: z.array(z.unknown()) });

test.each([
  ['receipt', writeSurplus],
  ['write-off', writeShortage],
] as const)('all lines of a %s are paged through, each with its product', async (_, write) => {
  const shop = await newShop();
  const { director: token } = shop;
  const products = await newCards(shop, LINES, { brand_id: null });
  const path = await write(shop, products);
  const whole = Whole.parse((await call(`GET ${path}`, { token })).body);
  expect([whole.products_count, whole.products.length]).toEqual([LINES, 1000]);
  const pageOf = async (query = '') =>
    Lines.parse((await call(`GET ${path}/products?${query}`, { token })).body);
  const last = await pageOf('page=11&page-size=100');
  expect(last.data.map(({ product_id }) => product_id)).toEqual(products.slice(1000));
  expect(last.data.map(({ product }) => product.id)).toEqual(products.slice(1000));
  expect(last.meta.total).toBe(LINES);
  expect((await pageOf('page=2&page-size=70')).data.map(({ id }) => id)).toEqual(
    Array.from({ length: 70 }, (__, index) => 71 + index),
  );
  expect((await pageOf('page=12&page-size=100')).data).toEqual([]);
  const stranger = await newFamily();
  expect((await call(`GET ${path}/products`, { token: stranger.director })).status).toBe(404);
});

test('the lines of a count’s receipt and write-off are those that it shows (Contract 9.12)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(shop, id, [
    [products[0], 11],
    [products[1], 1],
    [products[2], 31],
  ]);
  await endStocktake(shop, id, 'complete');
  const receipts = await idsOf(PURCHASES, token, 'filter[currency]=uzs');
  const shortages = await idsOf(WRITE_OFFS, token);
  for (const path of [`${PURCHASES}/${receipts[0]}`, `${WRITE_OFFS}/${shortages[0]}`]) {
    const whole = Whole.parse((await call(`GET ${path}`, { token })).body);
    const { body } = await call(`GET ${path}/products`, { token });
    expect(body).toMatchObject({ data: whole.products, meta: { total: whole.products_count } });
  }
});
