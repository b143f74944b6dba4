import * as z from 'zod';
import type { DeskWithRecord } from '#lib/cash/desk/read.ts';
import { Posting, type StoredPosting } from '#lib/cash/posting/record.ts';

/** A posting with its desk. */
export type Answered = z.input<typeof Posting>;

/** The two sides of a movement: the outcome, then the income. Decisions, 9 (63). */
export const BothSides = z.object({ data: z.array(Posting) });

export type BothSides = z.input<typeof BothSides>;

/** Shows postings with their desk, as operations answer. */
export function showAt({ record }: DeskWithRecord, postings: readonly StoredPosting[]): Answered[] {
  return postings.map((posting) => ({ ...posting, cashbox: record }));
}
