import * as z from 'zod';
import { orNull, visible, withoutHidden } from './fields.ts';
import { withoutUnseen } from './text.ts';

/*
 * Product codes: barcodes, PLUs, codes of the national catalogue and of packages. Scanners and spreadsheets
 * add invisible characters, and drop leading zeros. Contract 9.125; Contract 9.127.
 */

/** A long code after a spreadsheet's conversion to a number: `4,79E+12`. Its digits are lost. */
const POWER_OF_TEN = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/** Returns the schema of a code in normal form, or a blank. */
export function codeOrBlank(max: number): z.ZodString {
  return plainly()
    .max(max)
    .refine((value) => !POWER_OF_TEN.test(value), { error: 'validation.power_of_ten' });
}

/** Returns the schema of a required code. */
export function code(max: number): z.ZodString {
  return codeOrBlank(max).min(1, { error: 'validation.required' });
}

/** Returns the schema of an optional code: blank and null mean absent, and are stored as null. */
export function optionalCode(max: number) {
  return orNull(codeOrBlank(max)).transform((value) => value || null);
}

/** Returns the schema of a text normalized like a code, in any format. */
export function plainly(): z.ZodString {
  return visible(z.string().trim()).overwrite(plainCode);
}

/** A code in a filter. */
export const SoughtCode = z.string().overwrite(soughtCode);

/** Normalizes a code to search for: also removes characters that no code contains. */
export function soughtCode(text: string): string {
  return plainCode(withoutHidden(text));
}

/** Returns a code in normal form. */
export function plainCode(text: string): string {
  return withoutUnseen(text).replace(/\s/g, '');
}

/** Lengths of article numbers in barcodes: the same number may occur in any of these, padded with zeros. */
const LENGTHS = [8, 12, 13, 14];

const LONGEST = 14;

/** Returns a barcode for comparison: an article number with all its leading zeros. */
export function barcodeToCompare(barcode: string): string {
  return isArticleNumber(barcode) ? barcode.padStart(LONGEST, '0') : barcode;
}

/** Returns all equivalent barcodes. */
export function sameBarcodes(barcode: string): string[] {
  if (!isArticleNumber(barcode)) return [barcode];
  const number = barcode.replace(/^0+/, '');
  return LENGTHS.filter((length) => length >= number.length).map((length) => number.padStart(length, '0'));
}

function isArticleNumber(barcode: string): boolean {
  return /^\d+$/.test(barcode) && LENGTHS.includes(barcode.length);
}
