import * as z from 'zod';
import type { ErrorCode } from '#lib/values/message.ts';
import type { SheetCell } from './workbook/value.ts';

/*
 * Fields for the cells of an import, by what their column holds. A cell that can't be read for certain is 422
 * on itself: nothing is guessed, nor taken for empty. Contract 9.137, 9.138.
 */

/** What a column makes of a cell that has a value: that, or what is wrong. */
type Reading = { readonly value: string | number } | { readonly issue: ErrorCode };

/** Makes the field of a cell with a text, as the sheet shows it. */
export function textCell<T extends z.ZodType>(field: T) {
  return cellOf(asText, field);
}

/** Makes the field of a cell with a code, such as a barcode: a number in it must have all its digits. */
export function codeCell<T extends z.ZodType>(field: T) {
  return cellOf(asCode, field);
}

/** Makes the field of a cell with a number, or with one as people write it: `12 500,50`. */
export function numberCell<T extends z.ZodType>(field: T) {
  return cellOf(asNumber, field);
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

/** From here on a number has more digits than a workbook shows of it. */
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
  if (cell.kind === 'number') return { value: cell.value };
  const written = cell.text.replace(/\s/g, '');
  if (!/^-?\d+([.,]\d+)?$/.test(written)) return { issue: 'validation.not_number' };
  // `12,500` is twelve and a half here, and twelve thousand five hundred there.
  if (/[.,]\d{3}$/.test(written)) return { issue: 'cell.ambiguous' };
  return { value: Number(written.replace(',', '.')) };
}
