import * as z from 'zod';
import { distinct, Id, lineOfText } from '#lib/values/fields.ts';

/*
 * A marked product bears a code of its own on each piece. Scanners send the separator of its groups, U+001D,
 * or leave it out: it is kept as it came, and does not count when marks are compared. Part 4, 4.6, 4.
 */

/** Marks of a sale at most. Part 4, 4.6, 4. */
export const MOST_MARKS = 50;

const LONGEST = 255;

const Seen = lineOfText(LONGEST).min(1);

/** A piece's mark. */
const Mark = z
  .string()
  .trim()
  .max(LONGEST)
  .refine((mark) => bareMark(mark) !== '', { error: 'validation.required' })
  .refine((mark) => Seen.safeParse(bareMark(mark)).success || bareMark(mark) === '', {
    error: 'validation.hidden_signs',
  });

/** The marks of a line's pieces. */
export const Marks = z.array(Mark).max(MOST_MARKS).default([]);

/** The marks of a bundle's pieces, by product. */
export const BundleMarks = distinct(
  'product_id',
  z.array(z.object({ product_id: Id, marks: Marks })).max(MOST_MARKS),
).default([]);

/** Gives a mark as it is compared. */
export function bareMark(mark: string): string {
  return mark.replaceAll('\u001d', '');
}
