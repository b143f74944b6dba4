import * as z from 'zod';
import { SyncType } from '#lib/records/sync-type.ts';

/** A record as it is told: in a copy, or in a list. */
export const CopyRow = z.looseObject({ id: z.int() });

export type CopyRow = z.output<typeof CopyRow>;

/** An entry of a copy. */
export const CopyEntry = z.object({
  type: SyncType,
  id: z.int(),
  revision: z.int(),
  is_deleted: z.boolean(),
  record: CopyRow,
});

export type CopyEntry = z.output<typeof CopyEntry>;

/** A page of a copy. */
export const PageOfCopy = z.object({ data: z.array(CopyEntry), cursor: z.string(), has_more: z.boolean() });

export type PageOfCopy = z.output<typeof PageOfCopy>;

/** Fields of lists that copies don't have: other records, and what is only computed when shown. */
export const NOT_COPIED: ReadonlySet<string> = new Set([
  ...['creator', 'company', 'cashbox', 'source', 'transactions_data', 'refused_sales'],
  ...['full_text', 'closes_in', 'overdue_days', 'is_refundable'],
  ...['bonus_entries_amount', 'bonus_accumulations_amount', 'debt_left'],
]);
