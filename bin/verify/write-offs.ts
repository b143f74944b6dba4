import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { amountsOf, currencyOf, WriteOff, WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { Currency } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { type Audit, itemsAt } from './audit.ts';
import { movementFault, operationFault, type ToldMovement } from './claims.ts';
import { linesOf } from './document-lines.ts';
import { addTo } from './sums.ts';

type Written = z.input<typeof WriteOff>;
type Line = z.input<typeof WriteOffLine>;

const STEP = 100;

/**
 * Checks every write-off against its lines. One that was completed claims its movements and its supplier's
 * operation.
 */
export async function checkWriteOffs(audit: Audit): Promise<void> {
  for await (const items of walk(partition(writeOffs.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkWriteOff(audit, vouched(WriteOff, item))));
  }
}

async function checkWriteOff(audit: Audit, writeOff: Written): Promise<void> {
  const { id, stock_id } = writeOff;
  const lines = await linesOf(WriteOffLine, writeOffs.type, audit.home, writeOff);
  const shelves = lines?.map(({ product_id }) => balanceKey(audit.home, stock_id, product_id)) ?? [];
  const keys = [recordKey(writeOffs.type, audit.home, id), ...shelves];
  const report = (what: string) =>
    audit.violations.push({
      book: 'write-offs',
      subject: `write-off ${id}`,
      what,
      history: async () => [...(await itemsAt(...keys)()), ...(lines ?? [])],
    });
  addTo(audit.counts, 'write-offs', 1);
  if (!lines) return void report('has fewer lines than it says');
  addTo(audit.counts, 'lines of write-offs', lines.length);
  for (const fault of faultsOf(writeOff, lines)) report(fault);
  // A count moves its goods itself, and claims them.
  if (writeOff.completed_at === null || writeOff.source_type === 'inventory') return;
  for (const fault of claimsOf(audit, writeOff, lines)) report(fault);
}

/** Finds what is wrong within a write-off. */
function faultsOf({ amounts, products_count }: Written, lines: readonly Line[]): string[] {
  const faults: string[] = [];
  const sums = amountsOf(lines);
  if (lines.length !== products_count) faults.push(`has ${lines.length} lines, and says ${products_count}`);
  for (const each of Currency.options.filter((currency) => sums[currency] !== amounts[currency]))
    faults.push(`comes to ${amounts[each]} ${each}, its lines to ${sums[each]}`);
  for (const { id, quantity, batches } of lines.filter((line) => line.batches.length > 0)) {
    const taken = totalQuantity(batches);
    if (taken !== quantity) faults.push(`line ${id} is of ${quantity}, and took ${taken} of batches`);
  }
  return faults;
}

function claimsOf(audit: Audit, writeOff: Written, lines: readonly Line[]): string[] {
  const { id, status, supplier_id, amounts } = writeOff;
  // What a canceled one took came back.
  const ways = status === 'completed' ? [-1] : [-1, 1];
  const moved = ways.flatMap((way) =>
    lines.flatMap((line) => movementFault(audit, movedBy(writeOff, line, way))),
  );
  if (supplier_id === null) return moved;
  const currency = currencyOf(lines);
  const told = { supplier_id, currency, amount: -amounts[currency], isReversed: status === 'canceled' };
  return [...moved, ...operationFault(audit, `writeoff ${id}`, told)];
}

function movedBy({ id, stock_id: stockId }: Written, line: Line, way: number): ToldMovement {
  const { product_id: productId, quantity, batches } = line;
  const where = { document: 'writeoff', id, line: line.id, stockId, productId };
  return { ...where, quantity: way * quantity, parts: batches };
}
