import * as z from 'zod';
import { SyncType } from '#lib/records/sync-type.ts';

/** A record in a sync or a list. */
export const SyncRowShape = z.looseObject({ id: z.int() });

export type SyncRowShape = z.output<typeof SyncRowShape>;

/** An entry of a sync. */
export const SyncEntryShape = z.object({
  type: SyncType,
  id: z.int(),
  revision: z.int(),
  is_deleted: z.boolean(),
  record: SyncRowShape,
});

export type SyncEntryShape = z.output<typeof SyncEntryShape>;

/** A page of a sync. */
export const SyncPageShape = z.object({
  data: z.array(SyncEntryShape),
  cursor: z.string(),
  has_more: z.boolean(),
});

export type SyncPageShape = z.output<typeof SyncPageShape>;

/** Fields of lists that a sync omits: other records, and fields computed when shown. */
export const FIELDS_NOT_SYNCED: ReadonlySet<string> = new Set([
  ...['creator', 'company', 'cashbox', 'source', 'transactions_data', 'refused_sales'],
  ...['full_text', 'closes_in', 'overdue_days', 'is_refundable'],
  ...['bonus_entries_amount', 'bonus_accumulations_amount', 'debt_left'],
]);
