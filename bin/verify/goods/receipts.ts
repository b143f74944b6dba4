import { Receipt, ReceiptLine, receipts } from '#lib/trade/receipt/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { checkDocuments } from '../frame/documents.ts';
import { type LineMove, type SupplierEntry, tieLine, tieOperation } from '../frame/entries.ts';
import type { Ledger } from '../frame/ledger.ts';
import type { GoodsBook } from './goods.ts';

/** Checks every receipt. One that was completed is tied to its movements and its supplier's operation. */
export function checkReceipts(
  books: Books,
  { movements }: GoodsBook,
  operations: Ledger<SupplierEntry>,
): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'receipts', noun: 'receipt', hasOwnLines: true },
    ...{ kind: { type: receipts.type, schema: Receipt }, line: ReceiptLine },
    stocksOf: ({ stock_id }) => [stock_id],
    faultsOf: ({ amount }, lines) => {
      const sum = totalAmount(lines);
      return sum === amount ? [] : [`comes to ${amount}, its lines to ${sum}`];
    },
    tiesOf: (receipt, lines) => {
      const { status, supplier_id, currency, amount } = receipt;
      if (receipt.completed_at === null) return [];
      // The goods of a canceled one went out again.
      const ways = status === 'completed' ? [1] : [1, -1];
      const moved = ways.flatMap((way) =>
        lines.flatMap((line) => tieLine(movements, moveOf(receipt, line, way))),
      );
      if (supplier_id === null) return moved;
      const operation = { supplier_id, currency, amount, isReversed: status === 'canceled' };
      return [...moved, ...tieOperation(operations, `purchase ${receipt.id}`, operation)];
    },
  });
}

function moveOf({ id, stock_id: stockId }: Receipt, line: ReceiptLine, way: number): LineMove {
  const { product_id: productId, quantity } = line;
  const name = { document: 'purchase', id, line: line.id };
  return { ...name, stockId, productId, quantity: way * quantity, batches: [line] };
}
