import * as z from 'zod';
import type { ErrorCode } from '#lib/values/message.ts';
import type { SheetCell } from './workbook/value.ts';

/*
 * Field schemas for the cells of an import, by type of column. An ambiguous or unreadable cell is 422 on
 * itself: neither guessed nor treated as empty. Contract 9.137, 9.138.
 */

/** The result of reading a filled cell: a value, or an issue. */
type Reading = { readonly value: string | number } | { readonly issue: ErrorCode };

/** Returns the field schema of a text cell, as displayed in the sheet. */
export function textCell<T extends z.ZodType>(field: T) {
  return cellOf(asText, field);
}

/** Returns the field schema of a code, e.g. a barcode: a number must have all its digits. */
export function codeCell<T extends z.ZodType>(field: T) {
  return cellOf(asCode, field);
}

/** Returns the field schema of a phone, as people write it: `+998 90 123-45-67`. */
export function phoneCell<T extends z.ZodType<unknown, string | null | undefined>>(field: T) {
  const plain = z
    .unknown()
    .transform((cell) => (typeof cell === 'string' ? cell.replaceAll(/[\s()+-]/g, '') : cell));
  return codeCell(plain.pipe(field));
}

/** Returns the field schema of a number, or of one as people write it: `12 500,50`. */
export function numberCell<T extends z.ZodType>(field: T) {
  return cellOf(asNumber, field);
}

/** Returns the field schema of a percentage: `12`, `12%`, or a cell that shows a number so. */
export function percentCell<T extends z.ZodType>(field: T) {
  return cellOf(asPercent, field);
}

type FilledCell = Exclude<SheetCell, { kind: 'failed' }>;

function cellOf<T extends z.ZodType>(read: (cell: FilledCell) => Reading, field: T) {
  return z
    .custom<SheetCell | undefined>()
    .transform((cell, context): unknown => {
      if (cell === undefined) return undefined;
      const reading = cell.kind === 'failed' ? cell : read(cell);
      if ('value' in reading) return reading.value;
      context.addIssue({ code: 'custom', message: reading.issue });
      return z.NEVER;
    })
    .pipe(field);
}

/** From here on a number has more digits than a workbook stores. */
const TOO_LONG = 1e15;

function asText(cell: FilledCell): Reading {
  const isTooLong = cell.kind === 'number' && Math.abs(cell.value) >= TOO_LONG;
  return isTooLong ? { issue: 'cell.not_text' } : { value: cell.text };
}

function asCode(cell: FilledCell): Reading {
  const isFraction = cell.kind === 'number' && !Number.isInteger(cell.value);
  return isFraction ? { issue: 'cell.not_text' } : asText(cell);
}

function asNumber(cell: FilledCell): Reading {
  return cell.kind === 'number' ? { value: cell.value } : readNumber(cell.text);
}

function asPercent(cell: FilledCell): Reading {
  return cell.kind === 'number' ? { value: cell.value } : readNumber(cell.text.replace(/%$/, ''));
}

/** Reads a number as people write it: `12 500,50`. */
export function readNumber(text: string): Reading {
  const written = text.replace(/\s/g, '');
  if (!/^-?\d+([.,]\d+)?$/.test(written)) return { issue: 'validation.not_number' };
  // `12,500` is twelve and a half in some locales, and twelve thousand five hundred in others.
  if (/[.,]\d{3}$/.test(written)) return { issue: 'cell.ambiguous' };
  return { value: Number(written.replace(',', '.')) };
}
