import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/walk.ts';
import { Purchase, PurchaseLine, purchases } from '#lib/trade/receipt/record.ts';
import { type Audit, addTo, itemsAt } from './audit.ts';
import { linesOf } from './document-lines.ts';
import { movementName, partsText } from './posts.ts';

type Receipt = z.input<typeof Purchase>;
type Line = z.input<typeof PurchaseLine>;

const STEP = 100;

/** Checks every receipt against its lines; a completed one claims its movements, and is owed for. */
export async function checkReceipts(audit: Audit): Promise<void> {
  const batchIds = new Set<number>();
  for await (const items of walk(partition(purchases.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkReceipt(audit, vouched(Purchase, item), batchIds)));
  }
}

async function checkReceipt(audit: Audit, receipt: Receipt, batchIds: Set<number>): Promise<void> {
  const { id, amount, products_count, status, stock_id, supplier_id, currency } = receipt;
  const lines = await linesOf(PurchaseLine, purchases.type, audit.home, receipt);
  const shelves = lines?.map(({ product_id }) => balanceKey(audit.home, stock_id, product_id)) ?? [];
  const keys = [recordKey(purchases.type, audit.home, id), ...shelves];
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
  const sum = lines.reduce((total, line) => total + line.amount, 0);
  if (lines.length !== products_count) report(`has ${lines.length} lines, but says ${products_count}`);
  if (sum !== amount) report(`comes to ${amount}, its lines to ${sum}`);
  for (const line of lines) {
    if (batchIds.has(line.id)) report(`has line ${line.id}, which another receipt also has`);
    batchIds.add(line.id);
    if (status === 'completed') for (const fault of movementFault(audit, receipt, line)) report(fault);
  }
  if (status === 'completed' && supplier_id !== null) addTo(audit.owed, `${supplier_id} ${currency}`, amount);
}

function movementFault({ movements }: Audit, { id, stock_id }: Receipt, line: Line): string[] {
  const movement = movements.claim(movementName('purchase', id, line.id, stock_id));
  if (!movement) return [`line ${line.id} brought nothing`];
  const isSame =
    movement.productId === line.product_id &&
    movement.quantity === line.quantity &&
    movement.parts === partsText([line]);
  return isSame ? [] : [`line ${line.id} is not what it brought: ${JSON.stringify(movement)}`];
}
