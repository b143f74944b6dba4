import { receipts } from '#lib/trade/receipt/record.ts';
import { type StockTransfer, type StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import {
  amountsOf,
  currencyOf,
  type WriteOff,
  type WriteOffLine,
  writeOffs,
} from '#lib/trade/write-off/record.ts';
import { Currency, totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments } from '../frame/documents.ts';
import { type MovedLine, type Mover, type SupplierEntry, tieLine, tieOperation } from '../frame/entries.ts';

/** Checks every receipt, write-off and transfer between warehouses, and ties it to what it moved. */
export async function checkStockDocuments(books: Books): Promise<void> {
  await checkReceipts(books);
  await checkWriteOffs(books);
  await checkStockTransfers(books);
}

function checkReceipts(books: Books): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'receipts', noun: 'receipt', kind: receipts, hasOwnLines: true },
    faultsOf: ({ amount }, lines) => {
      const sum = totalAmount(lines);
      return sum === amount ? [] : [`comes to ${amount}, its lines to ${sum}`];
    },
    tiesOf: (receipt, lines) => {
      const { id, stock_id: stockId, completed_at } = receipt;
      if (completed_at === null) return [];
      const moves = lines.map((line) => ({ ...line, batches: [line] }));
      return tieCompleted(books, { document: 'purchase', id, stockId }, moves, receipt);
    },
  });
}

function checkWriteOffs(books: Books): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'write-offs', noun: 'write-off', kind: writeOffs },
    faultsOf: writeOffFaults,
    tiesOf: (writeOff, lines) => {
      const { id, stock_id: stockId, amounts, completed_at, source_type } = writeOff;
      // A count moves its goods itself, and is tied to them.
      if (completed_at === null || source_type === 'inventory') return [];
      const moves = lines.map((line) => ({ ...line, quantity: -line.quantity }));
      const currency = currencyOf(lines);
      const owed = { ...writeOff, currency, amount: -amounts[currency] };
      return tieCompleted(books, { document: 'writeoff', id, stockId }, moves, owed);
    },
  });
}

/** Finds what is wrong within a write-off. A draft has taken nothing of batches yet. */
function writeOffFaults({ amounts }: WriteOff, lines: readonly WriteOffLine[]): string[] {
  const sums = amountsOf(lines);
  const unlike = Currency.options.filter((currency) => sums[currency] !== amounts[currency]);
  const taken = lines.filter(({ batches }) => batches.length > 0);
  return [
    ...unlike.map((each) => `comes to ${amounts[each]} ${each}, its lines to ${sums[each]}`),
    ...taken.flatMap(batchSumFaults),
  ];
}

/** What a document of goods says that its supplier is owed. */
interface Owed extends Pick<SupplierEntry, 'currency' | 'amount'> {
  readonly status: string;
  readonly supplier_id: number | null;
}

/**
 * Ties a document that was completed to its movements, and to the operation of its supplier. What a canceled
 * one moved was moved back.
 */
function tieCompleted(books: Books, mover: Mover, moves: readonly MovedLine[], owed: Owed): string[] {
  const { status, supplier_id, currency, amount } = owed;
  const back = moves.map((move) => ({ ...move, quantity: -move.quantity }));
  const moved = status === 'completed' ? moves : [...moves, ...back];
  const faults = moved.flatMap((move) => tieLine(books, mover, move));
  if (supplier_id === null) return faults;
  const operation = { supplier_id, currency, amount, isReversed: status === 'canceled' };
  return [...faults, ...tieOperation(books, `${mover.document} ${mover.id}`, operation)];
}

function checkStockTransfers(books: Books): Promise<void> {
  return checkDocuments(books, {
    ...{ book: 'transfers of goods', noun: 'transfer', kind: stockTransfers },
    faultsOf: ({ status }, lines) => {
      if (status === 'in_transit') books.count('lines in transit', lines.length);
      return lines.flatMap(batchSumFaults);
    },
    tiesOf: (transfer, lines) => lines.flatMap((line) => tieSent(books, transfer, line)),
  });
}

/** Ties a line: goods went out once, and unless they are in transit they came into one of the warehouses. */
function tieSent(books: Books, transfer: StockTransfer, line: StockTransferLine): string[] {
  const { id, from_stock_id, to_stock_id, status } = transfer;
  const mover = { document: 'transfer', id, stockId: from_stock_id };
  const sent = tieLine(books, mover, { ...line, quantity: -line.quantity });
  if (status === 'in_transit') return sent;
  const stockId = status === 'completed' ? to_stock_id : from_stock_id;
  return [...sent, ...tieLine(books, { ...mover, stockId }, line)];
}
