import { readLinesOfAll } from '#lib/records/lines.ts';
import { parseStored, sourceOf } from '#lib/records/stored.ts';
import { equals } from '#lib/table/expression.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { CostCorrection, CostCorrectionLine, costCorrections } from './cost-correction.ts';

/**
 * Returns the supplier operations of the corrections of a receipt that is canceled. 400 if any of its goods
 * were gone when it was corrected. Part 5, 5A.4, 5. Each correction changes the receipt's version, so none is
 * missed.
 */
export async function operationsOfCorrections(tenant: Tenant, receiptId: number): Promise<(number | null)[]> {
  const where = [equals('purchase_id', receiptId)];
  const { rows } = await listItems(sourceOf(costCorrections, tenant), { ...ALL_ROWS, where });
  const corrections = rows.map((row) => parseStored(CostCorrection, row));
  const { type } = costCorrections;
  const found = await readLinesOfAll(
    corrections.map(({ id, products_count: count }) => ({ place: { type, tenant, id }, count })),
  );
  for (const lines of found) {
    if (!lines) throw new NotYet();
    const isGone = lines
      .map((line) => parseStored(CostCorrectionLine, line))
      .some(({ quantity, remaining_quantity }) => remaining_quantity < quantity);
    if (isGone) throw badRequest('purchase.corrected');
  }
  return corrections.map(({ supplier_operation_id }) => supplier_operation_id);
}
