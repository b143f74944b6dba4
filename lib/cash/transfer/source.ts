import * as z from 'zod';
import type { Embed } from '#lib/records/embeds.ts';
import { neighbourKey } from '#lib/table/keys.ts';

/**
 * The cause of a movement of money. For a conversion or a move between desks `source_id` is the outcome. Part
 * 3, "Cash operation"; Decisions, 9 (63).
 */
export const TransferSourceType = z.enum([
  'reason',
  'collection',
  'conversion',
  'transfer',
  'supplier',
  'shift',
  'sale',
  'sale_return',
  'debt_payment',
]);

type TransferSourceType = z.output<typeof TransferSourceType>;

/** The sources of manual movements; the desk itself posts all others. Part 3, "Cash operations". */
export const MANUAL = ['reason', 'collection', 'conversion', 'transfer', 'supplier'] as const;

/** A transfer's source as `with[]=source` shows it: what it is known by. */
export const TransferSource = z.object({
  id: z.int(),
  type: z.string().optional(),
  name: z.string().optional(),
  code: z.string().optional(),
  status: z.string().optional(),
});

/** The records to which sources belong: a conversion and a move point at their outcome. */
const RECORDS: Readonly<Record<TransferSourceType, string>> = {
  reason: 'reason',
  collection: 'collection',
  conversion: 'transfer',
  transfer: 'transfer',
  supplier: 'supplier',
  shift: 'cashbox-shift',
  sale: 'sale',
  sale_return: 'sale',
  debt_payment: 'debt-payment',
};

/** `with[]=source`: the record that a transfer came of. */
export const sourceEmbed: Embed = {
  field: 'source',
  keysOf: ({ pk, source_type, source_id }) => {
    const type = TransferSourceType.safeParse(source_type).data;
    return [(type && neighbourKey(RECORDS[type], pk, source_id)) ?? []].flat();
  },
  shape: ([item]) => item ?? null,
};

/** Tells whether a transfer is a manual movement. */
export function isManual({ source_type }: { readonly source_type: TransferSourceType }): boolean {
  return MANUAL.some((manual) => manual === source_type);
}
