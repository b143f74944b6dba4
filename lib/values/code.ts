import * as z from 'zod';
import { orNull, visible, withoutHidden } from './fields.ts';
import { withoutUnseen } from './text.ts';

/*
 * Codes of goods: barcodes, PLUs, codes of the national catalogue and of packages. Scanners and workbooks add
 * signs that nobody sees, and leave zeros out. Contract 9.125; Contract 9.127.
 */

/** What a spreadsheet makes of a long code: `4,79E+12`. Its digits are lost. */
const POWER_OF_TEN = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/** Makes a code in its one spelling, or nothing in its place. */
export function codeOrBlank(max: number): z.ZodString {
  return plainly()
    .max(max)
    .refine((value) => !POWER_OF_TEN.test(value), { error: 'validation.power_of_ten' });
}

/** Makes a required code. */
export function code(max: number): z.ZodString {
  return codeOrBlank(max).min(1, { error: 'validation.required' });
}

/** Makes an optional code: blank and null mean absent, and are held as null. */
export function optionalCode(max: number) {
  return orNull(codeOrBlank(max)).transform((value) => value || null);
}

/** Makes a text that is read as a code is, whatever it must look like. */
export function plainly(): z.ZodString {
  return visible(z.string().trim()).overwrite(plainCode);
}

/** A code that a filter asks for. */
export const SoughtCode = z.string().overwrite(soughtCode);

/** Gives the code that somebody looks for: what no code has is left out of it. */
export function soughtCode(text: string): string {
  return plainCode(withoutHidden(text));
}

/** Gives a code in its one spelling. */
export function plainCode(text: string): string {
  return withoutUnseen(text).replace(/\s/g, '');
}

/** Lengths of the numbers of goods in barcodes: the same number may be in any of these, behind zeros. */
const LENGTHS = [8, 12, 13, 14];

const LONGEST = 14;

/** Gives a barcode as it is compared: a number of goods with all its zeros. */
export function barcodeToCompare(barcode: string): string {
  return isGoodsNumber(barcode) ? barcode.padStart(LONGEST, '0') : barcode;
}

/** Lists the barcodes that are the same as one. */
export function sameBarcodes(barcode: string): string[] {
  if (!isGoodsNumber(barcode)) return [barcode];
  const number = barcode.replace(/^0+/, '');
  return LENGTHS.filter((length) => length >= number.length).map((length) => number.padStart(length, '0'));
}

function isGoodsNumber(barcode: string): boolean {
  return /^\d+$/.test(barcode) && LENGTHS.includes(barcode.length);
}
