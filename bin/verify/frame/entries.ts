import type { StoredPosting } from '#lib/cash/posting/record.ts';
import type { StoredDebt } from '#lib/clients/debt/record.ts';
import type { Currency } from '#lib/values/money.ts';
import { agrees, Ledger } from './ledger.ts';

/** A movement of goods, as far as its document must agree with it. */
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

/** A client's debt for a sale. */
type DebtEntry = Pick<
  StoredDebt,
  'client_id' | 'sale_id' | 'currency' | 'amount' | 'repaid_amount' | 'returned_amount'
>;

/** A supplier's operation. */
export interface SupplierEntry {
  readonly supplier_id: number;
  readonly currency: Currency;
  readonly amount: number;
  /** Whether it no longer counts. */
  readonly isReversed: boolean;
}

/** A document that moves goods into a warehouse or out of it. */
export interface Mover {
  readonly document: string;
  readonly id: number;
  readonly stockId: number;
}

/** What a document says that one of its lines moved. */
export interface MovedLine {
  readonly id: number;
  readonly product_id: number;
  /** Negative if goods went out. */
  readonly quantity: number;
  readonly batches: BatchShares;
}

/** How much of each batch. */
type BatchShares = readonly { readonly id: number; readonly quantity: number }[];

/** What was moved and is owed, to be tied to its documents. */
export interface Entries {
  readonly movements: Ledger<GoodsEntry>;
  /** What went out for each line of a hold and has not come back. */
  readonly heldByLine: Map<string, number>;
  readonly postings: Ledger<MoneyEntry>;
  /** What postings come to in each shift, by the shift and the names of its tallies. */
  readonly tallies: Map<number, Map<string, number>>;
  readonly debts: Ledger<DebtEntry>;
  /** Operations of suppliers that documents have made. */
  readonly operations: Ledger<SupplierEntry>;
}

/** Begins without entries. */
export function newEntries(): Entries {
  return {
    ...{ movements: new Ledger(), heldByLine: new Map(), postings: new Ledger(), tallies: new Map() },
    ...{ debts: new Ledger(), operations: new Ledger() },
  };
}

/** Takes what documents must agree with: a family may have a hundred thousand postings. */
export function moneyEntryOf(posting: StoredPosting) {
  return {
    cashbox_id: posting.cashbox_id,
    type: posting.type,
    payment_type: posting.payment_type,
    currency: posting.currency,
    amount: posting.amount,
    status: posting.status,
    source_type: posting.source_type,
    source_id: posting.source_id,
    source_data: posting.source_data,
    is_returned: posting.is_returned,
    reversal_id: posting.reversal_id,
    reversal_of_id: posting.reversal_of_id,
    shift_id: posting.shift_id,
  };
}

/** Makes the name under which a movement is posted. A line's goods may go out and come back. */
export function movementName({ document, id, stockId }: Mover, line: number, quantity: number): string {
  return `${document} ${id}, line ${line}, ${quantity < 0 ? 'out of' : 'into'} warehouse ${stockId}`;
}

/** Makes the name of a hold's line, whose goods go out and come back as often as the hold is changed. */
export function holdLineName(holdId: number, lineId: number, stockId: number): string {
  return `hold ${holdId}, line ${lineId}, warehouse ${stockId}`;
}

/** Writes shares of batches as a text: equal texts mean equal shares. */
export function batchesText(shares: BatchShares): string {
  return shares
    .map(({ id, quantity }) => `${id}:${quantity}`)
    .toSorted()
    .join(' ');
}

/** Ties a line to its movement; answers with what is wrong with it. */
export function tieLine({ movements }: Entries, mover: Mover, line: MovedLine): string[] {
  const { id, product_id: productId, quantity, batches } = line;
  const movement = movements.tie(movementName(mover, id, quantity));
  if (!movement) return [`line ${id} moved nothing`];
  if (agrees(movement, { productId, quantity, batches: batchesText(batches) })) return [];
  return [`line ${id} is not what it moved: ${JSON.stringify(movement)}`];
}

/** Ties a document to its supplier's operation; answers with what is wrong with it. */
export function tieOperation({ operations }: Entries, source: string, said: SupplierEntry): string[] {
  const operation = operations.tie(source);
  if (!operation) return ['has no operation of its supplier'];
  if (agrees(operation, said)) return [];
  return [`is not what its supplier's operation says: ${JSON.stringify(operation)}`];
}
