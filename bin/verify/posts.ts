import type { StoredPosting } from '#lib/cash/posting/record.ts';
import type { Currency } from '#lib/values/money.ts';

/** A movement of goods, as far as its document must agree with it. */
export interface Movement {
  readonly stockId: number;
  readonly productId: number;
  /** Negative if goods went out. */
  readonly quantity: number;
  /** `batch:quantity` of each part, in the order of batches. */
  readonly parts: string;
}

/** A movement of money. */
export type Posting = Pick<
  StoredPosting,
  | 'cashbox_id'
  | 'type'
  | 'payment_type'
  | 'currency'
  | 'amount'
  | 'status'
  | 'source_type'
  | 'source_id'
  | 'source_data'
  | 'is_returned'
  | 'reversal_id'
  | 'reversal_of_id'
  | 'shift_id'
>;

/** A client's debt for a sale. */
export interface Debt {
  readonly client_id: number;
  readonly sale_id: number;
  readonly currency: Currency;
  readonly amount: number;
  readonly repaid_amount: number;
  readonly returned_amount: number;
}

/** An operation of a supplier, as far as its document must agree with it. */
export interface Operation {
  readonly supplier_id: number;
  readonly currency: Currency;
  readonly amount: number;
  /** Whether it no longer counts. */
  readonly isReversed: boolean;
}

/** The name of a document's line, which moves goods. */
export interface LineName {
  readonly document: string;
  readonly id: number;
  readonly line: number;
}

/** Makes the name by which a movement is posted and claimed. A line's goods may go out and come back. */
export function movementName({ document, id, line }: LineName, stockId: number, quantity: number): string {
  return `${document} ${id}, line ${line}, ${quantity < 0 ? 'out of' : 'into'} warehouse ${stockId}`;
}

/** Makes the name of a hold's line, whose goods go out and come back as often as the hold is changed. */
export function heldLine(holdId: number, lineId: number, stockId: number): string {
  return `hold ${holdId}, line ${lineId}, warehouse ${stockId}`;
}

/** Writes the parts of batches in a movement as a text: equal texts mean equal parts. */
export function partsText(parts: readonly { readonly id: number; readonly quantity: number }[]): string {
  return parts
    .map(({ id, quantity }) => `${id}:${quantity}`)
    .toSorted()
    .join(' ');
}
