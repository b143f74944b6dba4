import { EMBEDDED, type RecordHeader, type Viewer } from '#lib/sync/definition/definition.ts';
import {
  defineSyncWithLines,
  hasTooManyLines,
  LEFT_OUT,
  linesField,
  type ReadParts,
} from '#lib/sync/definition/with-lines.ts';
import { StocktakeLine, showLine } from '#lib/trade/stocktake/line.ts';
import { linesIn, readPositions } from '#lib/trade/stocktake/positions.ts';
import { Stocktake, stocktakeRef, stocktakes } from '#lib/trade/stocktake/record.ts';
import { sumsOf } from '#lib/trade/stocktake/totals.ts';
import { Sums } from '#lib/values/money.ts';

const CopiedCount = Stocktake.omit({ ...EMBEDDED, updater: true, responsible: true, stock: true }).extend({
  amounts_diff_above: Sums,
  amounts_diff_below: Sums,
  ...linesField(StocktakeLine.omit({ product: true })),
});

const readParts: ReadParts = (heads, view) =>
  Promise.all(
    heads.map(async (head) => ({
      amounts_diff_above: sumsOf(head, 'above'),
      amounts_diff_below: sumsOf(head, 'below'),
      ...(await readCounted(head, view)),
    })),
  );

/** Sync of stocktakes: lines come once they are completed; a canceled one has none. */
export const stocktakeSync = () => defineSyncWithLines(stocktakes, CopiedCount, readParts);

async function readCounted(head: RecordHeader, view: Viewer) {
  const { status } = head;
  if (status === 'in_progress') return { products: null };
  if (status === 'canceled') return { products: [] };
  if (hasTooManyLines(head, view)) return LEFT_OUT;
  const positions = await readPositions(stocktakeRef(view.actor.tenant, head.id));
  return { products: linesIn(positions).map(showLine) };
}
