import * as z from 'zod';
import { readProductName } from '#lib/catalog/card.ts';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { parseStored, sourceOf } from '#lib/records/stored.ts';
import { BatchPart, isOfLine } from '#lib/stock/batch-part.ts';
import { equals } from '#lib/table/expression.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import type { GoodsReceiptLine } from '#lib/trade/goods-receipt/record.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';

/** Types of documents that have goods, and their status while they do. */
const APART = [
  { of: holds, status: 'in_progress', variant: 'hold' },
  { of: stockTransfers, status: 'in_transit', variant: 'transfer' },
] as const;

const Header = z.object({ id: z.int(), products_count: z.int() });
const Line = z.object({ product_id: z.int(), batches: z.array(BatchPart) });

/** Documents whose lines are read at once, and concurrent reads. */
const STEP = 100;
const SIDE_BY_SIDE = 4;

/**
 * Requires that none of the lines' goods are on hold or in transit anywhere in the family. 400 naming the
 * first such document. Part 5, 5A.4, 1.
 */
export async function requireNoneApart(tenant: Tenant, lines: readonly GoodsReceiptLine[]): Promise<void> {
  for (const { of, status, variant } of APART) {
    const { rows } = await listItems(sourceOf(of, tenant), {
      ...ALL_ROWS,
      where: [equals('status', status)],
    });
    const headers = rows.map((row) => parseStored(Header, row));
    const found = await mapConcurrent(splitEvery(headers, STEP), SIDE_BY_SIDE, (step) =>
      readLinesOfAll(
        step.map(({ id, products_count: count }) => ({ place: { type: of.type, tenant, id }, count })),
      ),
    );
    for (const [index, own] of found.flat().entries()) {
      if (!own) throw new NotYet();
      const apart = own.map((each) => parseStored(Line, each)).find((each) => hasGoodsOf(each, lines));
      if (!apart) continue;
      const name = await readProductName(tenant, apart.product_id);
      throw badRequest('purchase.goods_apart', { variant, name, document: headers[index]?.id ?? 0 });
    }
  }
}

function hasGoodsOf({ batches }: z.input<typeof Line>, lines: readonly GoodsReceiptLine[]): boolean {
  return batches.some(({ id }) => lines.some((line) => isOfLine(id, line.id)));
}

/** Requires that no completed write-off has given goods of a receipt back to its supplier. 400 otherwise. */
export async function requireNoneGivenBack(tenant: Tenant, receiptId: number): Promise<void> {
  const where = [
    equals('source_type', 'purchase'),
    equals('source_id', receiptId),
    equals('status', 'completed'),
  ];
  const { rows } = await listItems(sourceOf(writeOffs, tenant), { ...ALL_ROWS, where });
  if (rows.length > 0) throw badRequest('purchase.given_back');
}
