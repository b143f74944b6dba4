import { expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import {
  amountsOf,
  partsWithAmounts,
  WRITE_OFF_LINE,
  type WriteOffLine,
  writeOffs,
} from '#lib/trade/write-off/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

const WRITE_OFFS = '/company/trade/writeoff';

/** Writes off the shortage of a product, as completing the stocktake does. */
async function writeOffShortage(
  { companyId, directorId, stockId }: Shop,
  product_id: number,
  pieces: number,
) {
  const tenant = familyTenant(companyId);
  const at = Date.now();
  const [id, lineId, stockLevels] = await Promise.all([
    nextId(writeOffs.type, tenant),
    nextId(WRITE_OFF_LINE, tenant),
    readStockLevels(tenant, stockId, [product_id]),
  ]);
  const quantity = pieces * ONE;
  const by = makerOf({ id: directorId });
  const cause = { document: 'writeoff', documentId: id, lineId, at, by } as const;
  const parts = stockLevels.take(product_id, quantity, cause) ?? [];
  const given = { source_product_id: null, reason: 'common_loss', comment: null } as const;
  const lines: WriteOffLine[] = [
    { id: lineId, product_id, quantity, ...given, batches: partsWithAmounts(parts) },
  ];
  const writeOff = documentInsertion(writeOffs, tenant, {
    id,
    ...by,
    company_id: companyId,
    source_type: 'inventory',
    source_id: 1,
    stock_id: stockId,
    supplier_id: null,
    supplier_operation_id: null,
    name: 'Count 1',
    status: 'completed',
    amounts: amountsOf(lines),
    products_count: lines.length,
    completed_at: at,
    created_at: at,
    updated_at: at,
  });
  await transact([
    writeOff,
    ...lineWrites({ type: writeOffs.type, tenant, id }, lines),
    ...stockLevels.writes(),
  ]);
  return id;
}

test('the write-off of a count is shown with what its oldest batches had cost (Contract 9.11, 9.12)', async () => {
  const shop = await newShop();
  const { director: token, companyId, stockId } = shop;
  const product = await newGoods(shop, [
    { quantity: 2, cost: 0.5 },
    { quantity: 5, cost: 3, currency: 'usd' },
  ]);
  const id = await writeOffShortage(shop, product, 3);
  expect((await call(`GET ${WRITE_OFFS}/${id}?with[]=company`, { token })).body).toMatchObject({
    source_type: 'inventory',
    source_id: 1,
    stock_id: stockId,
    status: 'completed',
    amounts: { uzs: 1, usd: 3, eur: 0, rub: 0 },
    company: { id: companyId },
    products: [
      {
        product_id: product,
        source_product_id: null,
        quantity: 3,
        reason: 'common_loss',
        batches: [
          { quantity: 2, cost: 0.5, currency: 'uzs', amount: 1 },
          { quantity: 1, cost: 3, currency: 'usd', amount: 3 },
        ],
        product: { id: product },
      },
    ],
  });
  expect(await idsOf(WRITE_OFFS, token, 'filter[source_type]=inventory&filter[name]=COUNT')).toEqual([id]);
  expect(await idsOf(WRITE_OFFS, token, 'filter[name]=other')).toEqual([]);
});
