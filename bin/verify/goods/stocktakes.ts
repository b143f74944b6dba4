import { stockLevelKey } from '#lib/stock/stock-level.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { type CheckedLine, totalsOf } from '#lib/trade/stocktake/line.ts';
import { readPositions } from '#lib/trade/stocktake/positions.ts';
import { type StoredStocktake, stocktakeRef, stocktakes } from '#lib/trade/stocktake/record.ts';
import { totals } from '#lib/trade/stocktake/totals.ts';
import type { Books } from '../frame/books.ts';
import { everyOf, linesIfWhole } from '../frame/documents.ts';
import { movementName } from '../frame/entries.ts';
import { faultUnless, matchesDocument } from '../frame/ledger.ts';

/** Names of movements by which goods receipts brought a surplus, by stocktake and batch. */
type SurplusNames = ReadonlyMap<string, string>;

/**
 * Checks every stocktake against its lines. Lines of a completed one are tied to their movements. A surplus
 * is posted again under the name of the goods receipt's line that it became, which is tied to it then.
 */
export async function checkStocktakes(books: Books): Promise<void> {
  const names = await surplusNames(books.tenant);
  for await (const count of everyOf(books.tenant, stocktakes)) await checkCount(books, count, names);
}

async function checkCount(books: Books, count: StoredStocktake, names: SurplusNames): Promise<void> {
  const { id, status, stock_id } = count;
  books.count('counts');
  if (status === 'canceled') return;
  const positions = await readPositions(stocktakeRef(books.tenant, id));
  const lines = positions.flatMap(({ line }) => line ?? []);
  books.count('lines of counts', lines.length);
  const subject = { book: 'counts', noun: 'count', type: stocktakes.type, id };
  books.reportRecord(subject, totalFaults(count, positions.length, lines));
  if (status !== 'completed') return;
  for (const line of lines.filter((each) => each.actual_quantity !== each.stock_quantity)) {
    const balance = stockLevelKey(books.tenant, stock_id, line.product_id);
    books.reportRecord(subject, tieCounted(books, count, line, names), [balance]);
  }
}

function totalFaults(count: StoredStocktake, positions: number, lines: readonly CheckedLine[]): string[] {
  const each = lines.map(totalsOf);
  const sums = totals((name) => each.reduce((sum, line) => sum + line[name], 0));
  const come = new Map(Object.entries({ ...sums, products_count: positions }));
  return Object.entries(totals((name) => count[name])).flatMap(([name, sum]) =>
    faultUnless(sum === come.get(name), `says ${sum} for ${name}, which its lines do not come to`),
  );
}

function tieCounted(
  { movements }: Books,
  { id, stock_id: stockId }: StoredStocktake,
  line: CheckedLine,
  names: SurplusNames,
): string[] {
  const quantity = line.actual_quantity - line.stock_quantity;
  const name = movementName({ document: 'inventory', id, stockId }, line.id, quantity);
  const movement = movements.tie(name);
  if (!movement) return [`line ${line.id} moved nothing`];
  if (!matchesDocument(movement, { productId: line.product_id, quantity }))
    return [`line ${line.id} is not what it moved: ${JSON.stringify(movement)}`];
  if (!line.surplus) return [];
  const receipt = names.get(`${id} ${line.surplus.batch_id}`);
  if (receipt === undefined) return [`line ${line.id} is a surplus that no receipt has`];
  movements.post(receipt, movement);
  return [];
}

async function surplusNames(tenant: Tenant): Promise<SurplusNames> {
  const names = new Map<string, string>();
  for await (const goodsReceipt of everyOf(tenant, goodsReceipts)) {
    const { id, inventory_id, stock_id: stockId } = goodsReceipt;
    if (inventory_id === null) continue;
    for (const line of (await linesIfWhole(GoodsReceiptLine, goodsReceipts.type, tenant, goodsReceipt)) ??
      []) {
      const name = movementName({ document: 'purchase', id, stockId }, line.id, line.quantity);
      names.set(`${inventory_id} ${line.id}`, name);
    }
  }
  return names;
}
