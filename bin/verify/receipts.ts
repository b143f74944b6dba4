import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { Receipt, ReceiptLine, receipts } from '#lib/trade/receipt/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { movementFault, operationFault, type ToldMovement } from './claims.ts';
import { linesOf } from './document-lines.ts';
import { addTo } from './sums.ts';

const STEP = 100;

/**
 * Checks every receipt against its lines. One that was completed claims its movements and its supplier's
 * operation.
 */
export async function checkReceipts(audit: Audit): Promise<void> {
  const batchIds = new Set<number>();
  for await (const items of walk(partition(receipts.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkReceipt(audit, vouched(Receipt, item), batchIds)));
  }
}

async function checkReceipt(audit: Audit, receipt: Receipt, batchIds: Set<number>): Promise<void> {
  const { id, amount, products_count, status, stock_id, supplier_id, currency } = receipt;
  const lines = await linesOf(ReceiptLine, receipts.type, audit.home, receipt);
  const shelves = lines?.map(({ product_id }) => balanceKey(audit.home, stock_id, product_id)) ?? [];
  const keys = [recordKey(receipts.type, audit.home, id), ...shelves];
  const report = (what: string) =>
    audit.violations.push({
      book: 'receipts',
      subject: `receipt ${id}`,
      what,
      history: async () => [...(await itemsAt(...keys)()), ...(lines ?? [])],
    });
  addTo(audit.counts, 'receipts', 1);
  if (!lines) return void report('has fewer lines than it says');
  addTo(audit.counts, 'lines of receipts', lines.length);
  const sum = totalAmount(lines);
  if (lines.length !== products_count) report(`has ${lines.length} lines, but says ${products_count}`);
  if (sum !== amount) report(`comes to ${amount}, its lines to ${sum}`);
  for (const line of lines) {
    if (batchIds.has(line.id)) report(`has line ${line.id}, which another receipt also has`);
    batchIds.add(line.id);
  }
  if (receipt.completed_at === null) return;
  const ways = status === 'completed' ? [1] : [1, -1];
  const moved = ways.flatMap((way) =>
    lines.flatMap((line) => movementFault(audit, broughtBy(receipt, line, way))),
  );
  for (const fault of moved) report(fault);
  if (supplier_id === null) return;
  const operation = { supplier_id, currency, amount, isReversed: status === 'canceled' };
  for (const fault of operationFault(audit, `purchase ${id}`, operation)) report(fault);
}

/** Tells what a line brought; of a canceled receipt it went out again. */
function broughtBy({ id, stock_id: stockId }: Receipt, line: ReceiptLine, way: number): ToldMovement {
  const { product_id: productId, quantity } = line;
  const where = { document: 'purchase', id, line: line.id, stockId, productId };
  return { ...where, quantity: way * quantity, parts: [line] };
}
