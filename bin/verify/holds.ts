import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { Hold, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { type Audit, itemsAt } from './audit.ts';
import { linesOf } from './document-lines.ts';
import { heldLine, partsText } from './posts.ts';
import { addTo } from './sums.ts';

type Held = z.input<typeof Hold>;
type Line = z.input<typeof HoldLine>;

const STEP = 100;

/** Checks every hold against its lines. One in progress keeps what went out for them, any other nothing. */
export async function checkHolds(audit: Audit): Promise<void> {
  for await (const items of walk(partition(holds.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkHold(audit, vouched(Hold, item))));
  }
}

async function checkHold(audit: Audit, hold: Held): Promise<void> {
  const { id, stock_id } = hold;
  const lines = await linesOf(HoldLine, holds.type, audit.home, hold);
  const shelves = lines?.map(({ product_id }) => balanceKey(audit.home, stock_id, product_id)) ?? [];
  const keys = [recordKey(holds.type, audit.home, id), ...shelves];
  const report = (what: string) =>
    audit.violations.push({
      book: 'holds',
      subject: `hold ${id}`,
      what,
      history: async () => [...(await itemsAt(...keys)()), ...(lines ?? [])],
    });
  addTo(audit.counts, 'holds', 1);
  if (!lines) return void report('has fewer lines than it says');
  for (const fault of faultsOf(hold, lines)) report(fault);
  for (const line of lines) for (const fault of keptFaults(audit, hold, line)) report(fault);
}

function faultsOf({ amount, products_count, status, sale_id }: Held, lines: readonly Line[]): string[] {
  const faults: string[] = [];
  const sum = totalAmount(lines);
  if (lines.length !== products_count) faults.push(`has ${lines.length} lines, but says ${products_count}`);
  if (sum !== amount) faults.push(`comes to ${amount}, its lines to ${sum}`);
  if ((status === 'completed') !== (sale_id !== null)) faults.push(`is ${status} with sale ${sale_id}`);
  for (const { id, quantity, batches } of lines) {
    const taken = totalQuantity(batches);
    if (taken !== quantity) faults.push(`line ${id} is of ${quantity}, but keeps ${partsText(batches)}`);
  }
  return faults;
}

function keptFaults({ held }: Audit, { id, stock_id, status }: Held, line: Line): string[] {
  const name = heldLine(id, line.id, stock_id);
  const kept = held.get(name) ?? 0;
  held.delete(name);
  const wanted = status === 'in_progress' ? line.quantity : 0;
  return kept === wanted ? [] : [`line ${line.id} should keep ${wanted}, and keeps ${kept}`];
}
