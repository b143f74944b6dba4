import * as z from 'zod';
import { badRequest } from '#lib/values/api-error.ts';
import { nonBlankText } from '#lib/values/fields.ts';

/*
 * The one shape of reversals: a document of money or debt is never taken away, an opposite one is made now,
 * and both stay, each with the other's id. Part 5, 5.0, 3.
 */

/** Links of a document that can be reversed. */
export const reversalLinks = {
  /** Document reversed by this one; null if it is no reversal. */
  reversal_of_id: z.int().nullable(),
  /** Reversal of this document; null if not reversed. */
  reversal_id: z.int().nullable(),
};

/** Links of a new document. */
export const NOT_REVERSED = { reversal_of_id: null, reversal_id: null };

/** Input to reverse a document. */
export const ReversalInput = z.object({ comment: nonBlankText(1000) });

type ReversalLinks = Readonly<Record<keyof typeof NOT_REVERSED, number | null>>;

/** Requires that a document can be reversed: 400 for a reversal, and for a document that has one. */
export function requireReversible({ reversal_of_id, reversal_id }: ReversalLinks): void {
  if (reversal_of_id !== null) throw badRequest('reversal.is_reversal');
  if (reversal_id !== null) throw badRequest('reversal.already_reversed');
}
