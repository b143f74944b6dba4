import type * as z from 'zod';
import { StockTransfer, StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments } from '../frame/documents.ts';
import { type LineMove, tieLine } from '../frame/entries.ts';
import type { GoodsBook } from './goods.ts';

type StoredTransfer = z.input<typeof StockTransfer>;
type Line = z.input<typeof StockTransferLine>;

/** Checks every transfer between warehouses, and ties it to its movements in both. */
export function checkStockTransfers(books: Books, { movements }: GoodsBook): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'transfers of goods', noun: 'transfer' },
    ...{ kind: { type: stockTransfers.type, schema: StockTransfer }, line: StockTransferLine },
    stocksOf: ({ from_stock_id, to_stock_id }) => [from_stock_id, to_stock_id],
    faultsOf: ({ status }, lines) => {
      if (status === 'in_transit') books.count('lines in transit', lines.length);
      return lines.flatMap(({ id, quantity, batches }) => batchSumFaults(id, quantity, batches));
    },
    tiesOf: (transfer, lines) =>
      lines.flatMap((line) => movesOf(transfer, line).flatMap((move) => tieLine(movements, move))),
  });
}

/**
 * Lists what a line moved: goods go out once, and unless they are in transit they came into one of the
 * warehouses.
 */
function movesOf({ id, from_stock_id, to_stock_id, status }: StoredTransfer, line: Line): LineMove[] {
  const { product_id: productId, quantity, batches } = line;
  const move = { document: 'transfer', id, line: line.id, productId, batches };
  const sent = { ...move, stockId: from_stock_id, quantity: -quantity };
  if (status === 'in_transit') return [sent];
  return [sent, { ...move, stockId: status === 'completed' ? to_stock_id : from_stock_id, quantity }];
}
