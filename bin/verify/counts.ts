import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type CheckedLine, totalsOf } from '#lib/trade/count/line.ts';
import { positionsOf, readPositions } from '#lib/trade/count/positions.ts';
import { countPlace, counts, type StoredCount } from '#lib/trade/count/record.ts';
import { totals } from '#lib/trade/count/totals.ts';
import { Receipt, ReceiptLine, receipts } from '#lib/trade/receipt/record.ts';
import { type Audit, itemsAt } from './audit.ts';
import { linesOf } from './document-lines.ts';
import { movementName } from './posts.ts';
import { addTo } from './sums.ts';

const STEP = 20;

/**
 * Checks every count against its lines; what a completed one moved is claimed by its lines, and a surplus is
 * posted again by the name of the receipt's line that it became, which claims it then.
 */
export async function checkCounts(audit: Audit): Promise<void> {
  const receipts = await surplusLines(audit);
  for await (const items of walk(partition(counts.type, audit.home), STEP)) {
    for (const item of items) await checkCount(audit, vouched(counts.schema, item), receipts);
  }
}

async function checkCount(
  audit: Audit,
  count: StoredCount,
  receipts: ReadonlyMap<string, string>,
): Promise<void> {
  const { id, status, stock_id } = count;
  const report = (what: string, line?: CheckedLine) =>
    audit.violations.push({
      book: 'counts',
      subject: `count ${id}`,
      what,
      history: itemsAt(
        recordKey(counts.type, audit.home, id),
        ...(line ? [balanceKey(audit.home, stock_id, line.product_id)] : []),
      ),
    });
  addTo(audit.counts, 'counts', 1);
  if (status === 'canceled') return;
  const positions = positionsOf(await readPositions(countPlace(audit.home, id)));
  const lines = positions.flatMap(({ line }) => line ?? []);
  addTo(audit.counts, 'lines of counts', lines.length);
  for (const fault of totalFaults(count, positions.length, lines)) report(fault);
  if (status !== 'completed') return;
  for (const line of lines.filter((each) => each.actual_quantity !== each.stock_quantity)) {
    for (const fault of movementFaults(audit, count, line, receipts)) report(fault, line);
  }
}

function totalFaults(count: StoredCount, positions: number, lines: readonly CheckedLine[]): string[] {
  const each = lines.map(totalsOf);
  const sums = totals((name) => each.reduce((sum, line) => sum + line[name], 0));
  const said = totals((name) => count[name]);
  const wrong = Object.entries(said).filter(([name, value]) => {
    return (
      value !== Object.entries({ ...sums, products_count: positions }).find(([own]) => own === name)?.[1]
    );
  });
  return wrong.map(([name, value]) => `says ${value} for ${name}, which its lines do not come to`);
}

function movementFaults(
  { movements }: Audit,
  { id, stock_id }: StoredCount,
  line: CheckedLine,
  receipts: ReadonlyMap<string, string>,
): string[] {
  const difference = line.actual_quantity - line.stock_quantity;
  const name = movementName({ document: 'inventory', id, line: line.id }, stock_id, difference);
  const movement = movements.claim(name);
  if (!movement) return [`line ${line.id} moved nothing`];
  const isSame = movement.productId === line.product_id && movement.quantity === difference;
  if (!isSame) return [`line ${line.id} is not what it moved: ${JSON.stringify(movement)}`];
  if (!line.surplus) return [];
  const receipt = receipts.get(`${id} ${line.surplus.batch_id}`);
  if (receipt === undefined) return [`line ${line.id} is a surplus that no receipt has`];
  movements.post(receipt, movement);
  return [];
}

/** Names what receipts of counts claim to have brought, by count and batch. */
async function surplusLines({ home }: Audit): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const note = async (receipt: z.input<typeof Receipt>) => {
    const { id, inventory_id, stock_id } = receipt;
    if (inventory_id === null) return;
    for (const line of (await linesOf(ReceiptLine, receipts.type, home, receipt)) ?? []) {
      const name = movementName({ document: 'purchase', id, line: line.id }, stock_id, line.quantity);
      names.set(`${inventory_id} ${line.id}`, name);
    }
  };
  for await (const items of walk(partition(receipts.type, home), STEP)) {
    for (const item of items) await note(vouched(Receipt, item));
  }
  return names;
}
