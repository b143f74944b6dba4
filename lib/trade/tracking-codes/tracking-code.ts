import * as z from 'zod';
import { distinct, Id } from '#lib/values/fields.ts';

/*
 * A marked product bears a code of its own on each piece. A mark is kept as it came. Scanners name the kind
 * of the code before it or don't, and send the separator of its groups, U+001D, as a sign, as text or not at
 * all: so marks are compared by what a piece is told apart by. Part 4, 4.6, 4; Contract 9.126.
 */

/** Marks of a sale at most. Part 4, 4.6, 4. */
export const MAX_TRACKING_CODES = 50;

const LONGEST = 255;

const SEPARATOR = '\u001d';

const PRINTABLE = /^[!-~]*$/;

const BLANKS_AROUND = /^[\t-\r ]+|[\t-\r ]+$/g;

/** What scanners put before a code: its kind, and a separator, which is a blank here: no mark has one. */
const BEFORE = /^(?:\](?:d2|C1|Q3)| )+/;

/** A code that begins with the numbers of the goods and of the piece, as it is coded and as it is printed. */
const CODED = /^01(\d{14})21([^ ]{1,20})(?: |$)/;
const PRINTED = /^\(01\)(\d{14})\(21\)([^ (]{1,20})(?:[ (]|$)/;

/** A piece's mark. */
const TrackingCode = z
  .string()
  .overwrite((mark) => mark.replace(BLANKS_AROUND, ''))
  .max(LONGEST)
  .refine((mark) => !isPrintable(mark) || trackingCodeToCompare(mark) !== '', {
    error: 'validation.required',
  })
  .refine(isPrintable, { error: 'sale.mark_signs' });

/** The marks of a line's pieces. */
export const TrackingCodes = z.array(TrackingCode).max(MAX_TRACKING_CODES).default([]);

/** The marks of a bundle's pieces, by product. */
export const BundleTrackingCodes = distinct(
  'product_id',
  z.array(z.object({ product_id: Id, marks: TrackingCodes })).max(MAX_TRACKING_CODES),
).default([]);

/**
 * Gives a mark as it is compared: by the numbers of the goods and of the piece, or else as a whole without
 * separators. The two are never alike, as only the first has a blank.
 */
export function trackingCodeToCompare(mark: string): string {
  const code = mark.replaceAll('<GS>', ' ').replaceAll(SEPARATOR, ' ').replace(BEFORE, '');
  const [, goods, piece] = CODED.exec(code) ?? PRINTED.exec(code) ?? [];
  return goods !== undefined && piece !== undefined ? `${goods} ${piece}` : code.replaceAll(' ', '');
}

/** Tells whether a mark has printable signs of ASCII and separators only. */
function isPrintable(mark: string): boolean {
  return PRINTABLE.test(mark.replaceAll(SEPARATOR, ''));
}
