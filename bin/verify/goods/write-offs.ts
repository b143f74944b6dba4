import type * as z from 'zod';
import { amountsOf, currencyOf, WriteOff, WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { Currency } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments } from '../frame/documents.ts';
import { type LineMove, type SupplierEntry, tieLine, tieOperation } from '../frame/entries.ts';
import type { Ledger } from '../frame/ledger.ts';
import type { GoodsBook } from './goods.ts';

type StoredWriteOff = z.input<typeof WriteOff>;
type Line = z.input<typeof WriteOffLine>;

/** Checks every write-off. One that was completed is tied to its movements and its supplier's operation. */
export function checkWriteOffs(
  books: Books,
  { movements }: GoodsBook,
  operations: Ledger<SupplierEntry>,
): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'write-offs', noun: 'write-off' },
    ...{ kind: { type: writeOffs.type, schema: WriteOff }, line: WriteOffLine },
    stocksOf: ({ stock_id }) => [stock_id],
    faultsOf,
    tiesOf: (writeOff, lines) => {
      const { id, status, supplier_id, amounts, completed_at, source_type } = writeOff;
      // A count moves its goods itself, and is tied to them.
      if (completed_at === null || source_type === 'inventory') return [];
      // What a canceled one took came back.
      const ways = status === 'completed' ? [-1] : [-1, 1];
      const moved = ways.flatMap((way) =>
        lines.flatMap((line) => tieLine(movements, moveOf(writeOff, line, way))),
      );
      if (supplier_id === null) return moved;
      const currency = currencyOf(lines);
      const operation = {
        supplier_id,
        currency,
        amount: -amounts[currency],
        isReversed: status === 'canceled',
      };
      return [...moved, ...tieOperation(operations, `writeoff ${id}`, operation)];
    },
  });
}

/** Finds what is wrong within a write-off. A draft has taken nothing of batches yet. */
function faultsOf({ amounts }: StoredWriteOff, lines: readonly Line[]): string[] {
  const sums = amountsOf(lines);
  const unlike = Currency.options.filter((currency) => sums[currency] !== amounts[currency]);
  const taken = lines.filter(({ batches }) => batches.length > 0);
  return [
    ...unlike.map((each) => `comes to ${amounts[each]} ${each}, its lines to ${sums[each]}`),
    ...taken.flatMap(({ id, quantity, batches }) => batchSumFaults(id, quantity, batches)),
  ];
}

function moveOf({ id, stock_id: stockId }: StoredWriteOff, line: Line, way: number): LineMove {
  const { product_id: productId, quantity, batches } = line;
  const name = { document: 'writeoff', id, line: line.id };
  return { ...name, stockId, productId, quantity: way * quantity, batches };
}
