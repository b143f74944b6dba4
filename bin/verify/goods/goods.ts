import * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { type Movement, movementsIn, movementsOf } from '#lib/stock/movement.ts';
import { STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { Books } from '../frame/books.ts';
import { batchesText, holdLineName, movementName } from '../frame/entries.ts';
import { faultUnless } from '../frame/ledger.ts';
import { OnHand } from '../reports/stock.ts';
import { batchFaults, chainFaults, holdFaults } from './stock-level-faults.ts';

type Move = z.input<typeof Movement>;

/** A row that refers to a stock level. */
const Row = z.object({ id: z.int(), stock_id: z.int(), product_id: z.int() });

type Row = z.output<typeof Row>;

/** Stock levels read concurrently. */
const STEP = 50;

/** Checks every stock level on its own, and posts its movements. Returns the goods on hand. */
export async function checkStockLevels(books: Books): Promise<OnHand> {
  const onHand = new OnHand();
  const ids = new Map<string, number>();
  for await (const items of walk(partition(STOCK_LEVEL_ROW, books.tenant), STEP)) {
    const rows = items.map((item) => Row.parse(item));
    const found = await getItems(
      rows.map(({ stock_id, product_id }) => stockLevelKey(books.tenant, stock_id, product_id)),
    );
    await Promise.all(
      rows.map((row, index) => {
        const address = `${row.stock_id}#${row.product_id}`;
        const other = ids.get(address);
        ids.set(address, row.id);
        return checkRow(books, row, { item: found[index], other, onHand });
      }),
    );
  }
  return onHand;
}

async function checkRow(
  books: Books,
  row: Row,
  {
    item,
    other,
    onHand,
  }: { readonly item: unknown; readonly other: number | undefined; readonly onHand: OnHand },
): Promise<void> {
  const { id, stock_id, product_id } = row;
  const name = `balance ${id} of product ${product_id} in warehouse ${stock_id}`;
  const subject = { book: 'goods', subject: name, keys: [stockLevelKey(books.tenant, stock_id, product_id)] };
  books.count('balances');
  if (other !== undefined) return books.report(subject, [`is listed twice, also as ${other}`]);
  if (item === undefined) return books.report(subject, ['is listed but does not exist']);
  const balance = parseStored(StockLevel, item);
  onHand.addShelf(balance);
  books.goodsByCost.subtractLevel(balance);
  const total = movementsIn(balance);
  const moves = await movementsOf(books.tenant, balance, { from: 0, to: total });
  books.count('movements', moves.length);
  books.count('batches', balance.batches.length);
  books.report({ ...subject, further: moves }, [
    ...faultUnless(balance.id === id, `calls itself ${balance.id}`),
    ...faultUnless(moves.length === total, `has ${moves.length} movements, but says ${total}`),
    ...chainFaults(balance, moves),
    ...batchFaults(balance, moves),
    ...holdFaults(balance, moves),
    ...moves.flatMap((move) => postFaults(books, row, move)),
  ]);
}

/** Posts a movement. One that only shifts goods between batches belongs to no line. */
function postFaults({ movements, heldByLine }: Books, row: Row, move: Move): string[] {
  const { document_type: document, document_id: id, line_id: line, quantity, batches } = move;
  const { stock_id: stockId, product_id: productId } = row;
  if (document === 'hold') heldByLine.add(holdLineName(id, line, stockId), -quantity);
  if (document === 'hold' || quantity === 0) return [];
  const name = movementName({ document, id, stockId }, line, quantity);
  const isNew = movements.post(name, { stockId, productId, quantity, batches: batchesText(batches) });
  return faultUnless(isNew, `was moved twice by ${name}`);
}
