import type { RawCell } from './cells.ts';
import { byMask, type Style } from './styles.ts';

/**
 * A cell as displayed. A number also has its value, unless it is displayed as a day, a time or a percentage.
 * A cell without a value has its issue.
 */
export type SheetCell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'failed'; readonly issue: 'cell.error' | 'cell.not_calculated' };

const FAILED: SheetCell = { kind: 'failed', issue: 'cell.error' };

/** Shared texts of a workbook as cells, by index. */
export type SharedCells = ReadonlyMap<number, SheetCell | undefined>;

/** Parts of a workbook that its cells refer to. */
interface Context {
  readonly shared: SharedCells;
  readonly styleOf: (style: number) => Style;
  readonly isFrom1904: boolean;
}

/** Reads a cell; undefined if it is blank. Throws if it refers to a missing shared text. */
export function readCell(cell: RawCell, context: Context): SheetCell | undefined {
  if (cell.isUncalculated) return { kind: 'failed', issue: 'cell.not_calculated' };
  switch (cell.type) {
    case 'n':
      return readNumber(cell, context);
    case 's':
      return readShared(cell, context);
    case 'str':
    case 'inlineStr':
      return readText(cell.text);
    case 'b':
      return readBoolean(cell.text.trim());
    case 'd':
      return readText(cell.text.trim().slice(0, 10));
    default:
      return FAILED;
  }
}

function readShared({ text }: RawCell, { shared }: Context): SheetCell | undefined {
  if (!shared.has(Number(text))) throw new Error('The workbook lacks a shared text');
  return shared.get(Number(text));
}

/** Reads a text. Characters that XML can't represent are escaped in it, as `_x000D_`. */
export function readText(escaped: string): SheetCell | undefined {
  const text = escaped
    .replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .trim();
  return text === '' ? undefined : { kind: 'text', text };
}

function readBoolean(text: string): SheetCell {
  if (!/^(0|1|true|false)$/.test(text)) return FAILED;
  return { kind: 'text', text: text === '1' || text === 'true' ? 'true' : 'false' };
}

/** Digits of a number that a workbook displays. Its file has 17, of which the last two are noise. */
const DIGITS = 15;

const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: DIGITS });

// Each digit matches in one place only: otherwise a long non-number would take quadratic time.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function readNumber({ text, style }: RawCell, { styleOf, isFrom1904 }: Context): SheetCell {
  const exact = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(exact)) return FAILED;
  const value = Number(exact.toPrecision(DIGITS)) + 0;
  const { shows, mask } = styleOf(style);
  if (shows === 'day') return readDay(isFrom1904 ? value + 1462 : value);
  if (shows === 'time') return readTime(value);
  if (shows === 'percent') return { kind: 'text', text: `${PLAIN.format(value * 100)}%` };
  const plain = PLAIN.format(value);
  const isMasked = mask !== undefined && /^\d+$/.test(plain);
  return { kind: 'number', value, text: isMasked ? byMask(plain, mask) : plain };
}

/** Converts a workbook's date serial to a day: `2026-11-21`. */
function readDay(serial: number): SheetCell {
  if (serial < 0 || serial >= 2_958_466) return FAILED;
  const day = new Date(Math.floor(serial - 25_569) * 86_400_000);
  return { kind: 'text', text: day.toISOString().slice(0, 10) };
}

/** Converts a part of a day, or several days, to a time of day or hours: `7:40`, `26:05:30`. */
function readTime(days: number): SheetCell {
  if (days < 0 || days >= 2_958_466) return FAILED;
  const seconds = Math.round(days * 86_400);
  const twoDigits = (value: number) => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const text = `${Math.floor(minutes / 60)}:${twoDigits(minutes)}`;
  return { kind: 'text', text: seconds % 60 === 0 ? text : `${text}:${twoDigits(seconds)}` };
}
