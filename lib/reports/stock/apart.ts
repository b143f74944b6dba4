import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { sourceOf, vouch } from '#lib/records/stored.ts';
import { Part } from '#lib/stock/part.ts';
import { type Expression, equals, oneOf } from '#lib/table/expression.ts';
import type { Home } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { IN_ONE_PAGE } from '#lib/table/read/request.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { pieces, sideBySide } from '#lib/values/side-by-side.ts';

/** Goods of a shelf that documents have: what holds have set aside, and what is on its way. */
export interface Apart {
  /** How much is on its way. */
  readonly sent: bigint;
  readonly parts: readonly Part[];
}

/** All of them, by shelf, and the documents that have them, in their versions. */
interface AllApart {
  readonly byShelf: ReadonlyMap<string, Apart>;
  readonly documents: string;
}

const Document = z.object({ id: z.int(), version: z.int(), products_count: z.int() });
const Line = z.object({ product_id: z.int(), batches: z.array(Part) });

/** Documents whose lines are read at once, and how many such readings go side by side. */
const STEP = 100;
const SIDE_BY_SIDE = 4;

/** Names a shelf: a product in a warehouse. */
export function shelfOf({ stock_id, product_id }: Record<'stock_id' | 'product_id', number>): string {
  return `${stock_id} ${product_id}`;
}

/**
 * Reads the goods that open holds and transfers under way have taken from warehouses; goods on their way are
 * the sender's. Undefined if a document has changed meanwhile. Four round trips up to some hundred documents.
 */
export async function readApart(home: Home, stockIds: readonly number[]): Promise<AllApart | undefined> {
  const [held, sent] = await Promise.all([
    rowsOf(sourceOf(holds, home), [equals('status', 'in_progress'), oneOf('stock_id', stockIds)]),
    rowsOf(sourceOf(stockTransfers, home), [
      equals('status', 'in_transit'),
      oneOf('from_stock_id', stockIds),
    ]),
  ]);
  const documents = [
    ...held.map((row) => ({ row, type: holds.type, stock_id: Number(row['stock_id']) })),
    ...sent.map((row) => ({ row, type: stockTransfers.type, stock_id: Number(row['from_stock_id']) })),
  ].map(({ row, ...each }) => ({ ...each, ...vouch(Document, row) }));
  const byShelf = new Map<string, Apart>();
  const found = await sideBySide(pieces(documents, STEP), SIDE_BY_SIDE, async (step) =>
    readLinesOfAll(step.map(({ type, id, products_count: count }) => ({ place: { type, home, id }, count }))),
  );
  for (const [index, lines] of found.flat().entries()) {
    const document = documents[index];
    if (!lines || !document) return undefined;
    for (const each of lines) addLine(byShelf, document, vouch(Line, each));
  }
  return { byShelf, documents: documents.map(({ type, id, version }) => `${type} ${id} ${version}`).join() };
}

function addLine(
  byShelf: Map<string, Apart>,
  { type, stock_id }: { readonly type: string; readonly stock_id: number },
  { product_id, batches }: z.input<typeof Line>,
): void {
  const shelf = shelfOf({ stock_id, product_id });
  const { sent, parts } = byShelf.get(shelf) ?? { sent: 0n, parts: [] };
  const quantity = batches.reduce((sum, part) => sum + BigInt(part.quantity), 0n);
  const more = type === stockTransfers.type ? quantity : 0n;
  byShelf.set(shelf, { sent: sent + more, parts: [...parts, ...batches] });
}

async function rowsOf(source: Parameters<typeof listItems>[0], where: readonly Expression[]) {
  const { rows } = await listItems(source, { ...IN_ONE_PAGE, where });
  return rows;
}
