import { type Instant, serialOf } from '#lib/values/time.ts';
import { A4, escapeXml, MAIN, packageOf, XML, zipOf } from './sheet-package.ts';

/*
 * A workbook with one long sheet, streamed row by row: only compressed data is held in memory. Exceljs can
 * stream too, but takes more than twice as long, and every list would load it. Printed workbooks are laid out
 * with exceljs.
 */

/** The type of a column's cells: an amount in 1/100, an instant, a day, any other number, or text. */
export type CellKind = 'money' | 'moment' | 'day' | 'number' | 'text';

/** A column of a sheet. */
export interface SheetColumn {
  readonly heading: string;
  readonly kind: CellKind;
}

/** The content of a cell, before it is formatted by its column; null for an empty one. */
export type Cell = string | number | null;

/** The rows of a sheet, in batches. */
type Rows = AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>;

/** The style of each type of cell, by its index in `STYLES`, and the width of its column. */
const FORMATS: Readonly<Record<CellKind, { readonly style: number; readonly width: number }>> = {
  text: { style: 0, width: 22 },
  money: { style: 2, width: 18 },
  moment: { style: 3, width: 19 },
  day: { style: 4, width: 12 },
  number: { style: 0, width: 12 },
};

const HEADING = 1;

/** Aligned right, like its numbers. */
const NUMBER_HEADING = 5;

/** Stays text even when edited, as with an apostrophe typed before it. */
const QUOTED = 6;

const FORMULA_LIKE = /^[=+\-@]/;

/** Printed on the width of an A4 page and any number of pages. */
const FITTED = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const PAPER =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  `<pageSetup paperSize="${A4}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>` +
  '<headerFooter><oddFooter>&amp;C&amp;P / &amp;N</oddFooter></headerFooter>';

/**
 * Writes a workbook of a sheet with these rows under its headings. Texts stay texts, even if they look like
 * formulas. Contract 8.
 */
export function writeSheet(
  title: string,
  columns: readonly SheetColumn[],
  rows: Rows,
): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf(packageOf(title, sheetXml(columns, rows)));
}

async function* sheetXml(columns: readonly SheetColumn[], rows: Rows): AsyncGenerator<string, undefined> {
  const letters = columns.map((_, index) => lettersOf(index));
  const widths = columns.map(({ kind }, index) => {
    const { width } = FORMATS[kind];
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const headings = columns.map(({ heading, kind }, index) =>
    textXml(`${letters[index]}1`, heading, kind === 'text' ? HEADING : NUMBER_HEADING),
  );
  // Freezes the headings.
  const view = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  yield `${XML}<worksheet xmlns="${MAIN}">${FITTED}<sheetViews><sheetView workbookViewId="0">${view}</sheetView></sheetViews>`;
  yield `<cols>${widths.join('')}</cols><sheetData><row r="1">${headings.join('')}</row>`;
  let number = 1;
  for await (const some of rows) {
    const lines: string[] = [];
    for (const row of some) {
      number += 1;
      let line = `<row r="${number}">`;
      for (const [index, { kind }] of columns.entries()) {
        line += cellXml(`${letters[index]}${number}`, row[index] ?? null, kind);
      }
      lines.push(`${line}</row>`);
    }
    yield lines.join('');
  }
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${number}"/>${PAPER}</worksheet>`;
}

function cellXml(place: string, value: Cell, kind: CellKind): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string')
    return textXml(place, value, FORMULA_LIKE.test(value) ? QUOTED : FORMATS[kind].style);
  return `<c r="${place}" s="${FORMATS[kind].style}"><v>${numberOf(value, kind)}</v></c>`;
}

function numberOf(value: number, kind: CellKind): number {
  if (kind === 'money') return value / 100;
  return kind === 'moment' || kind === 'day' ? serialAt(value, kind) : value;
}

function serialAt(at: Instant, kind: CellKind): number {
  const serial = serialOf(at);
  return kind === 'day' ? Math.floor(serial) : serial;
}

/** Writes an inline string, so that the text is never taken for a formula. */
function textXml(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** Returns the letters of a column by its number from 0: `A`, `B`, … `Z`, `AA`. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`;
}
