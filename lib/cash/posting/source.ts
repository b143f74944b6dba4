import * as z from 'zod';
import type { Embed } from '#lib/records/query/embeds.ts';
import { neighbourKey } from '#lib/table/keys.ts';

/**
 * The cause of a movement of money. For a conversion or a move between desks `source_id` is the outcome. Part
 * 3, "Cash operation"; Decisions, 9 (63).
 */
export const PostingSourceType = z.enum([
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

type PostingSourceType = z.output<typeof PostingSourceType>;

/** The sources of manual movements; the desk itself posts all others. Part 3, "Cash operations". */
export const MANUAL = ['reason', 'collection', 'conversion', 'transfer', 'supplier'] as const;

/** A posting's source as `with[]=source` shows it: what it is known by. */
export const PostingSource = z.object({
  id: z.int(),
  type: z.string().optional(),
  name: z.string().optional(),
  code: z.string().optional(),
  status: z.string().optional(),
});

/** The records to which sources belong: a conversion and a move point at their outcome. */
const RECORDS: Readonly<Record<PostingSourceType, string>> = {
  reason: 'reason',
  collection: 'collection',
  conversion: 'posting',
  transfer: 'posting',
  supplier: 'supplier',
  shift: 'cashbox-shift',
  sale: 'sale',
  sale_return: 'sale',
  debt_payment: 'debt-payment',
};

/** `with[]=source`: the record that a posting came of. */
export const sourceEmbed: Embed = {
  field: 'source',
  keysOf: ({ pk, source_type, source_id }) => {
    const type = PostingSourceType.safeParse(source_type).data;
    return [(type && neighbourKey(RECORDS[type], pk, source_id)) ?? []].flat();
  },
  shape: ([item]) => item ?? null,
};

/** Tells whether a posting is a manual movement. */
export function isManual({ source_type }: { readonly source_type: PostingSourceType }): boolean {
  return MANUAL.some((manual) => manual === source_type);
}
