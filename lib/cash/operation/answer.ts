import * as z from 'zod';
import type { DeskWithRecord } from '#lib/cash/desk/desk.ts';
import { type StoredTransfer, Transfer } from '#lib/cash/transfer/record.ts';

/** A transfer with its desk. */
export type Answered = z.input<typeof Transfer>;

/** The two sides of a movement: the outcome, then the income. Decisions, 9 (63). */
export const BothSides = z.object({ data: z.array(Transfer) });

export type BothSides = z.input<typeof BothSides>;

/** Shows transfers with their desk, as operations answer. */
export function showAt({ record }: DeskWithRecord, transfers: readonly StoredTransfer[]): Answered[] {
  return transfers.map((transfer) => ({ ...transfer, cashbox: record }));
}
