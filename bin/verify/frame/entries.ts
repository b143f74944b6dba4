import type { StoredPosting } from '#lib/cash/posting/record.ts';
import type { StoredDebt } from '#lib/clients/debt/record.ts';
import { lineOfBatch } from '#lib/stock/batch-part.ts';
import type { ReturnHeader } from '#lib/trade/return/record.ts';
import type { Currency } from '#lib/values/money.ts';
import { Ledger, NamedSums } from './ledger.ts';

/** Facts of a goods movement that must match its document. */
interface GoodsEntry {
  readonly stockId: number;
  readonly productId: number;
  /** Negative if goods went out. */
  readonly quantity: number;
  /** `batch:quantity` of each batch concerned, in the order of batches. */
  readonly batches: string;
}

/** A movement of money at a desk. */
export type MoneyEntry = ReturnType<typeof moneyEntryOf>;

/** A supplier's operation. */
export interface SupplierEntry {
  readonly supplier_id: number;
  readonly currency: Currency;
  readonly amount: number;
  /** True if it no longer counts. */
  readonly isReversed: boolean;
}

/** A document that moves goods into or out of a warehouse. */
export interface Mover {
  readonly document: string;
  readonly id: number;
  readonly stockId: number;
}

/** Movement of one line according to its document. */
export interface MovedLine {
  readonly id: number;
  readonly product_id: number;
  /** Negative if goods went out. */
  readonly quantity: number;
  readonly batches: BatchShares;
}

/** Quantity of each batch. */
type BatchShares = readonly { readonly id: number; readonly quantity: number }[];

/** Movements, postings, debts and operations, to be tied to their documents. */
export class Entries {
  readonly movements = new Ledger<GoodsEntry>();
  /** Goods taken out for each line of a hold and not returned. */
  readonly heldByLine = new NamedSums();
  readonly postings = new Ledger<MoneyEntry>();
  /** Sums of postings in each shift, by the names of its tallies. */
  readonly tallies = new Map<number, NamedSums>();
  readonly debts = new Ledger<StoredDebt>();
  /** Write-offs of each debt less its stated amount: the part that returns have closed. */
  readonly writtenOff = new NamedSums();
  /** Entries of deposits by their documents, less the amounts in these: zero once all are read. */
  readonly deposits = new NamedSums();
  /** Headers of returns. */
  readonly returns = new Ledger<ReturnHeader>();
  /** Operations of suppliers created by documents. */
  readonly operations = new Ledger<SupplierEntry>();
}

/**
 * Reduces a posting to the facts that documents must match: a family may have a hundred thousand postings.
 */
export function moneyEntryOf(posting: StoredPosting) {
  const { cashbox_id, type, payment_type, currency, amount, status, shift_id } = posting;
  const { source_type, source_id, source_data, is_returned, reversal_id, reversal_of_id } = posting;
  const money = { cashbox_id, type, payment_type, currency, amount, status, shift_id };
  return { ...money, source_type, source_id, source_data, is_returned, reversal_id, reversal_of_id };
}

/** Returns the name under which a movement is posted. A line's goods may go out and come back. */
export function movementName({ document, id, stockId }: Mover, line: number, quantity: number): string {
  return `${document} ${id}, line ${line}, ${quantity < 0 ? 'out of' : 'into'} warehouse ${stockId}`;
}

/** Returns the name of a hold's line, whose goods go out and come back at each edit. */
export function holdLineName(holdId: number, lineId: number, stockId: number): string {
  return `hold ${holdId}, line ${lineId}, warehouse ${stockId}`;
}

/**
 * Formats shares of batches as a text: equal texts mean equal shares of each line. Goods that come back at a
 * former cost lie in another batch than the one they were taken from.
 */
export function batchesText(shares: BatchShares): string {
  const texts = shares.map(({ id, quantity }) => `${lineOfBatch(id)}:${quantity}`);
  return texts.sort().join(' ');
}

/** Ties a line to its movement; returns the faults. */
export function tieLine({ movements }: Entries, mover: Mover, line: MovedLine): string[] {
  const { id, product_id: productId, quantity } = line;
  const expected = { productId, quantity, batches: batchesText(line.batches) };
  const name = movementName(mover, id, quantity);
  return movements.match(name, expected, `line ${id} is not what it moved`, `line ${id} moved nothing`);
}

/** Ties a document to its supplier's operation; returns the faults. */
export function tieOperation({ operations }: Entries, source: string, expected: SupplierEntry): string[] {
  const fault = "is not what its supplier's operation says";
  return operations.match(source, expected, fault, 'has no operation of its supplier');
}
