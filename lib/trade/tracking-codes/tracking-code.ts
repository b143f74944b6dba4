import * as z from 'zod';
import { distinct, Id } from '#lib/values/fields.ts';

/*
 * Each piece of a marked product has a tracking code of its own, stored as received. Scanners may or may not
 * prefix the kind of the code, and send its group separator, U+001D, as a character, as text or not at all:
 * codes are thus compared by the part that identifies the piece. Part 4, 4.6, 4; Contract 9.126.
 */

/** Limit of tracking codes per sale. Part 4, 4.6, 4. */
export const MAX_TRACKING_CODES = 50;

const MAX_LENGTH = 255;

const SEPARATOR = '\u001d';

const PRINTABLE = /^[!-~]*$/;

const BLANKS_AROUND = /^[\t-\r ]+|[\t-\r ]+$/g;

/** Prefix of scanners: the kind of the code, and a separator, here a blank, since no code contains blanks. */
const SCANNER_PREFIX = /^(?:\](?:d2|C1|Q3)| )+/;

/** Code that begins with the numbers of the product and of the piece, in coded and in printed form. */
const CODED = /^01(\d{14})21([^ ]{1,20})(?: |$)/;
const PRINTED = /^\(01\)(\d{14})\(21\)([^ (]{1,20})(?:[ (]|$)/;

/** Tracking code of a piece. */
export const TrackingCode = z
  .string()
  .overwrite((mark) => mark.replace(BLANKS_AROUND, ''))
  .max(MAX_LENGTH)
  .refine((mark) => !isPrintable(mark) || trackingCodeToCompare(mark) !== '', {
    error: 'validation.required',
  })
  .refine(isPrintable, { error: 'sale.mark_signs' });

/** Tracking codes of a line's pieces. */
export const TrackingCodes = z.array(TrackingCode).max(MAX_TRACKING_CODES).default([]);

/** Tracking codes of a bundle's pieces, by product. */
export const BundleTrackingCodes = distinct(
  'product_id',
  z.array(z.object({ product_id: Id, marks: TrackingCodes })).max(MAX_TRACKING_CODES),
).default([]);

/**
 * Normalizes a code for comparison: the numbers of the product and of the piece, or else the whole code
 * without separators. Only the first form contains a blank, so the two never match.
 */
export function trackingCodeToCompare(mark: string): string {
  const code = mark.replaceAll('<GS>', ' ').replaceAll(SEPARATOR, ' ').replace(SCANNER_PREFIX, '');
  const [, goods, piece] = CODED.exec(code) ?? PRINTED.exec(code) ?? [];
  return goods !== undefined && piece !== undefined ? `${goods} ${piece}` : code.replaceAll(' ', '');
}

/** Returns the number of the product in a code, 14 digits; undefined if it has none. */
export function gtinOf(mark: string): string | undefined {
  const [goods, piece] = trackingCodeToCompare(mark).split(' ');
  return piece === undefined ? undefined : goods;
}

/** Checks whether a code consists of printable ASCII characters and separators only. */
function isPrintable(mark: string): boolean {
  return PRINTABLE.test(mark.replaceAll(SEPARATOR, ''));
}
