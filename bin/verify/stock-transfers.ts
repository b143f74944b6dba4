import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { StockTransfer, StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { type Audit, itemsAt } from './audit.ts';
import { movementFault, type ToldMovement } from './claims.ts';
import { linesOf } from './document-lines.ts';
import { addTo } from './sums.ts';

type Transfer = z.input<typeof StockTransfer>;
type Line = z.input<typeof StockTransferLine>;

const STEP = 100;

/** Checks every transfer between warehouses against its lines and claims its movements in both. */
export async function checkStockTransfers(audit: Audit): Promise<void> {
  for await (const items of walk(partition(stockTransfers.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkTransfer(audit, vouched(StockTransfer, item))));
  }
}

async function checkTransfer(audit: Audit, transfer: Transfer): Promise<void> {
  const { id, from_stock_id, to_stock_id, products_count, status } = transfer;
  const lines = await linesOf(StockTransferLine, stockTransfers.type, audit.home, transfer);
  const shelves = [from_stock_id, to_stock_id].flatMap(
    (stockId) => lines?.map(({ product_id }) => balanceKey(audit.home, stockId, product_id)) ?? [],
  );
  const keys = [recordKey(stockTransfers.type, audit.home, id), ...shelves];
  const report = (what: string) =>
    audit.violations.push({
      book: 'transfers of goods',
      subject: `transfer ${id}`,
      what,
      history: async () => [...(await itemsAt(...keys)()), ...(lines ?? [])],
    });
  addTo(audit.counts, 'transfers of goods', 1);
  if (!lines) return void report('has fewer lines than it says');
  if (lines.length !== products_count) report(`has ${lines.length} lines, and says ${products_count}`);
  for (const line of lines) {
    const taken = totalQuantity(line.batches);
    if (taken !== line.quantity)
      report(`line ${line.id} is of ${line.quantity}, and took ${taken} of batches`);
    if (status === 'in_transit') addTo(audit.counts, 'lines in transit', 1);
    for (const told of movedBy(transfer, line)) for (const fault of movementFault(audit, told)) report(fault);
  }
}

/**
 * Tells what a line moved: goods go out once, and unless they are in transit they came into one of the
 * warehouses.
 */
function movedBy({ id, from_stock_id, to_stock_id, status }: Transfer, line: Line): ToldMovement[] {
  const { product_id: productId, quantity, batches: parts } = line;
  const told = { document: 'transfer', id, line: line.id, productId, parts };
  const sent = { ...told, stockId: from_stock_id, quantity: -quantity };
  if (status === 'in_transit') return [sent];
  return [sent, { ...told, stockId: status === 'completed' ? to_stock_id : from_stock_id, quantity }];
}
