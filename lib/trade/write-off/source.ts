import type { Staff } from '#lib/access/actor.ts';
import { findDocument } from '#lib/records/documents.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { getItem } from '#lib/table/read/get.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { receipts } from '#lib/trade/receipt/record.ts';
import type { Problem, Problems } from '#lib/values/problems.ts';
import type { WriteOffInput } from './input.ts';

/** Place and owner of goods to be written off. */
export interface WriteOffSource {
  readonly warehouse: { readonly id: number; readonly company_id: number };
  readonly supplierId: number | null;
  /** Of a receipt: the product of each of its batches. */
  readonly batches?: ReadonlyMap<number, number>;
}

/**
 * Reads the source that a body names: a warehouse, or a completed receipt, whose own batches in its own
 * warehouse count. Undefined, and a problem, if it is unknown, not open to the caller or not completed. One
 * round trip, two for a receipt. Decisions, 9 (19).
 */
export async function readSource(
  actor: Staff,
  { source_type, source_id }: WriteOffInput,
  problems: Problems,
): Promise<WriteOffSource | undefined> {
  const nowhere = (problem: Problem) => {
    problems.add('source_id', problem);
    return undefined;
  };
  if (source_type === 'stock') {
    const warehouse = await openWarehouse(actor, source_id);
    return warehouse ? { warehouse, supplierId: null } : nowhere('validation.not_found');
  }
  const receipt = await findDocument(receipts, actor, source_id);
  if (!receipt) return nowhere('validation.not_found');
  if (receipt.status !== 'completed') return nowhere('writeoff.receipt_not_completed');
  const [warehouse, lines] = await Promise.all([
    openWarehouse(actor, receipt.stock_id),
    readAllLines(receipts, actor.home, receipt),
  ]);
  if (!warehouse) return nowhere('validation.not_found');
  const batches = new Map(lines.map(({ id, product_id }) => [id, product_id]));
  return { warehouse, supplierId: receipt.supplier_id, batches };
}

async function openWarehouse(actor: Staff, id: number) {
  return warehouses.ifVisible(actor, await getItem(warehouses.keyOf(actor, id)));
}
