import { splitParts } from '#lib/stock/batch-part.ts';
import { type GoodsReceipt, type GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { type Hold, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { type StockTransfer, type StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { amountsOf, currencyOf, writeOffs } from '#lib/trade/write-off/record.ts';
import { Currency } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments, sumFaults } from '../frame/documents.ts';
import {
  batchesText,
  holdLineName,
  type MovedLine,
  type Mover,
  type SupplierEntry,
  tieLine,
  tieOperation,
} from '../frame/entries.ts';
import { faultUnless } from '../frame/ledger.ts';
import type { OnHand } from '../reports/stock.ts';
import { amountOfCorrections, type Corrections, tieCorrections } from './cost-corrections.ts';

/**
 * Checks every goods receipt, write-off, stock transfer and hold with its movements. Adds committed goods to
 * those on hand.
 */
export async function checkStockDocuments(
  books: Books,
  onHand: OnHand,
  corrections: Corrections,
): Promise<void> {
  await checkHolds(books, onHand);
  await checkReceipts(books, corrections);
  const losses = await checkWriteOffs(books);
  await checkStockTransfers(books, onHand, losses);
  onHand.end();
}

function checkReceipts(books: Books, corrections: Corrections): Promise<void> {
  const book = { book: 'receipts', noun: 'receipt', kind: goodsReceipts, hasOwnLines: true };
  return checkDocuments(books, book, (goodsReceipt, lines) => {
    const { id, stock_id: stockId, amount, completed_at } = goodsReceipt;
    const faults = sumFaults(amount, lines);
    if (completed_at === null) return faults;
    if (goodsReceipt.status === 'completed') addReceived(books, corrections, goodsReceipt, lines);
    const moves = lines.map((line) => ({ ...line, batches: [line] }));
    const owed = { ...goodsReceipt, amount: amount - amountOfCorrections(corrections, id) };
    return [
      ...faults,
      ...tieCompleted(books, { document: 'purchase', id, stockId }, moves, owed),
      ...tieCorrections(books, corrections, goodsReceipt),
    ];
  });
}

/** Adds the goods of a receipt at the costs at which they came. */
function addReceived(
  { goodsByCost }: Books,
  { byReceipt }: Corrections,
  { id, currency }: GoodsReceipt,
  lines: readonly GoodsReceiptLine[],
): void {
  for (const { product_id, cost, quantity } of lines)
    goodsByCost.addReceived({ product_id, batches: [{ cost, currency, quantity }] });
  for (const correction of byReceipt.get(id) ?? [])
    for (const line of correction.lines) goodsByCost.addCorrection(currency, line);
}

/** Write-offs of goods that transfers lost, by id, with their products and quantities. */
type Losses = Map<number, { readonly transfer: number; readonly text: string }>;

/**
 * Checks write-offs. A draft has taken nothing from batches; a stocktake moves its goods itself, and those
 * that a transfer lost have left before. Returns the latter.
 */
async function checkWriteOffs(books: Books): Promise<Losses> {
  const losses: Losses = new Map();
  const book = { book: 'write-offs', noun: 'write-off', kind: writeOffs };
  await checkDocuments(books, book, (writeOff, lines) => {
    const { id, stock_id: stockId, amounts, completed_at, source_type } = writeOff;
    const sums = amountsOf(lines);
    const unlike = Currency.options.flatMap((each) => {
      const fault = `comes to ${amounts[each]} ${each}, its lines to ${sums[each]}`;
      return faultUnless(sums[each] === amounts[each], fault);
    });
    const taken = lines.filter(({ batches }) => batches.length > 0);
    const faults = [...unlike, ...taken.flatMap(batchSumFaults)];
    if (writeOff.status === 'completed') for (const line of taken) books.goodsByCost.subtract(line);
    if (source_type === 'transfer') losses.set(id, { transfer: writeOff.source_id, text: lossText(lines) });
    if (completed_at === null || source_type === 'inventory' || source_type === 'transfer') return faults;
    const moves = lines.map((line) => ({ ...line, quantity: -line.quantity }));
    const currency = currencyOf(lines);
    const owed = { ...writeOff, currency, amount: -amounts[currency] };
    return [...faults, ...tieCompleted(books, { document: 'writeoff', id, stockId }, moves, owed)];
  });
  return losses;
}

/** Goods of a line that a transfer lost. */
type Lost = Pick<StockTransferLine, 'product_id'> & { readonly batches: Parameters<typeof batchesText>[0] };

function lossText(lost: readonly Lost[]): string {
  return JSON.stringify(lost.map(({ product_id, batches }) => [product_id, batchesText(batches)]));
}

/** Payable to a supplier according to a document of goods. */
interface Payable extends Pick<SupplierEntry, 'currency' | 'amount'> {
  readonly status: string;
  readonly supplier_id: number | null;
}

/**
 * Ties a completed document to its movements, and to the operation of its supplier. A canceled one's
 * movements were reversed.
 */
function tieCompleted(books: Books, mover: Mover, moves: readonly MovedLine[], owed: Payable): string[] {
  const { status, supplier_id, currency, amount } = owed;
  const back = moves.map((move) => ({ ...move, quantity: -move.quantity }));
  const moved = status === 'completed' ? moves : [...moves, ...back];
  const faults = moved.flatMap((move) => tieLine(books, mover, move));
  if (supplier_id === null) return faults;
  const operation = { supplier_id, currency, amount, isReversed: status === 'canceled' };
  return [...faults, ...tieOperation(books, `${mover.document} ${mover.id}`, operation)];
}

async function checkStockTransfers(books: Books, onHand: OnHand, losses: Losses): Promise<void> {
  const book = { book: 'transfers of goods', noun: 'transfer', kind: stockTransfers };
  await checkDocuments(books, book, (transfer, lines) => {
    const { status, from_stock_id: stock_id } = transfer;
    if (status === 'in_transit') {
      books.count('lines in transit', lines.length);
      for (const line of lines) {
        onHand.addSent({ ...line, stock_id }, line);
        books.goodsByCost.subtract(line);
      }
    }
    return [
      ...lines.flatMap((line) => [...batchSumFaults(line), ...tieSent(books, transfer, line)]),
      ...tieLoss(losses, transfer, lines),
    ];
  });
  for (const [id, { transfer }] of losses) {
    const subject = { book: 'write-offs', noun: 'write-off', type: writeOffs.type, id };
    books.reportRecord(subject, [`is of goods that transfer ${transfer} did not lose`]);
  }
}

/** Ties a transfer to the write-off of its lost goods. */
function tieLoss(
  losses: Losses,
  { id, writeoff_id = null }: StockTransfer,
  lines: readonly StockTransferLine[],
): string[] {
  const lost = lines.flatMap((line) => {
    const { lost: batches } = divideGoods(line);
    return batches.length > 0 ? [{ product_id: line.product_id, batches }] : [];
  });
  const loss = writeoff_id === null ? undefined : losses.get(writeoff_id);
  if (loss && writeoff_id !== null) losses.delete(writeoff_id);
  const isSame =
    lost.length === 0 ? writeoff_id === null : loss?.transfer === id && loss.text === lossText(lost);
  return faultUnless(isSame, `lost other goods than its write-off ${writeoff_id}`);
}

/** Divides the goods of a completed transfer's line: the oldest batches arrived. */
function divideGoods({ quantity, batches, returned_quantity, lost_quantity }: StockTransferLine) {
  const [returned, lost] = [returned_quantity ?? 0, lost_quantity ?? 0];
  const [arrived, rest] = splitParts(batches, quantity - returned - lost);
  const [back, gone] = splitParts(rest, returned);
  return { arrived, returned: back, lost: gone };
}

/** Ties a line: goods went out once, and unless they are in transit or lost they came into a warehouse. */
function tieSent(books: Books, transfer: StockTransfer, line: StockTransferLine): string[] {
  const { id, from_stock_id, to_stock_id, status } = transfer;
  const mover = { document: 'transfer', id, stockId: from_stock_id };
  const sent = tieLine(books, mover, { ...line, quantity: -line.quantity });
  if (status === 'in_transit') return sent;
  if (status === 'canceled') return [...sent, ...tieLine(books, mover, line)];
  const { arrived, returned } = divideGoods(line);
  return [
    ...sent,
    ...tieParts(books, { ...mover, stockId: to_stock_id }, line, arrived),
    ...tieParts(books, mover, line, returned),
  ];
}

function tieParts(
  books: Books,
  mover: Mover,
  line: StockTransferLine,
  batches: StockTransferLine['batches'],
): string[] {
  return batches.length === 0
    ? []
    : tieLine(books, mover, { ...line, batches, quantity: totalQuantity(batches) });
}

/**
 * Checks every hold against its lines. One in progress holds the goods taken out for them, any other nothing.
 */
function checkHolds(books: Books, onHand: OnHand): Promise<void> {
  const book = { book: 'holds', noun: 'hold', kind: { ...holds, line: HoldLine } };
  return checkDocuments(books, book, (hold, lines) => {
    const { amount, status, sale_id, stock_id } = hold;
    if (status === 'in_progress') {
      for (const line of lines) {
        onHand.addGoods({ ...line, stock_id }, line.batches);
        books.goodsByCost.subtract(line);
      }
    }
    const isRight = (status === 'completed') === (sale_id !== null);
    return [
      ...sumFaults(amount, lines),
      ...faultUnless(isRight, `is ${status} with sale ${sale_id}`),
      ...lines.flatMap((line) => [...batchSumFaults(line), ...tieHeld(books, hold, line)]),
    ];
  });
}

function tieHeld({ heldByLine }: Books, { id, stock_id, status }: Hold, line: HoldLine): string[] {
  const name = holdLineName(id, line.id, stock_id);
  const is = heldByLine.of(name);
  heldByLine.delete(name);
  const expected = status === 'in_progress' ? line.quantity : 0;
  return faultUnless(is === expected, `line ${line.id} should keep ${expected}, and keeps ${is}`);
}
