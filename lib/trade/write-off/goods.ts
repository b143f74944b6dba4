import { readProductName } from '#lib/catalog/card.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { ONE } from '#lib/values/quantity.ts';
import { partsWithAmounts, type WriteOffLine } from './record.ts';

/**
 * Takes the goods of lines from their own batches, and returns the lines with the parts taken. 400 with the
 * product's name if it is in a sale draft or its batch has too little left. Contract 9.17.
 */
export async function takeNamedBatches(
  stockLevels: StockLevels,
  lines: readonly WriteOffLine[],
  inDrafts: ReadonlySet<number>,
  cause: Omit<Cause, 'lineId'>,
): Promise<WriteOffLine[]> {
  const { tenant } = stockLevels;
  const taken: WriteOffLine[] = [];
  for (const line of lines) {
    const { id: lineId, product_id, source_product_id, quantity } = line;
    if (inDrafts.has(product_id)) {
      throw badRequest('writeoff.product_in_active_sale', {
        name: await readProductName(tenant, product_id),
      });
    }
    const batch = stockLevels.batch(product_id, source_product_id);
    if (!batch || batch.left < quantity) {
      const available = (batch?.left ?? 0) / ONE;
      throw badRequest('writeoff.product_short', {
        name: await readProductName(tenant, product_id),
        available,
      });
    }
    const { left, ...origin } = batch;
    const part = { ...origin, quantity, left: left - quantity };
    stockLevels.takeExactly(product_id, [part], { ...cause, lineId });
    taken.push({ ...line, batches: partsWithAmounts([part]) });
  }
  return taken;
}
