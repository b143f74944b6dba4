import { type Instant, serialOf } from '#lib/values/time.ts';
import { A4, escapeXml, MAIN, packageOf, XML, zipOf } from './sheet-package.ts';

/*
 * A workbook of one long sheet, written as its rows come: memory holds only what is packed already. Exceljs
 * can do that too, but takes more than twice as long, and every list would load it. Workbooks that people
 * print are laid out with exceljs.
 */

/** The content of a column's cells: an amount in 1/100, an instant, a day, any other number, or text. */
export type CellKind = 'money' | 'moment' | 'day' | 'number' | 'text';

/** A column of a sheet. */
export interface SheetColumn {
  readonly heading: string;
  readonly kind: CellKind;
}

/** The content of a cell, before it is written as its column says; null for an empty one. */
export type Cell = string | number | null;

/** The rows of a sheet, some at a time. */
type Rows = AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>;

/** The style of each kind of cell, by its place in `STYLES`, and the width of its column. */
const LOOKS: Readonly<Record<CellKind, { readonly style: number; readonly width: number }>> = {
  text: { style: 0, width: 22 },
  money: { style: 2, width: 18 },
  moment: { style: 3, width: 19 },
  day: { style: 4, width: 12 },
  number: { style: 0, width: 12 },
};

const HEADING = 1;

/** Stands over its figures, which stand on the right. */
const HEADING_OF_FIGURES = 5;

/** Stays a text even if somebody edits it, as with an apostrophe typed before it. */
const QUOTED = 6;

const FORMULA_LIKE = /^[=+\-@]/;

/** On paper a list is as wide as a page of A4, and as long as it takes. */
const FITTED = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const PAPER =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  `<pageSetup paperSize="${A4}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>` +
  '<headerFooter><oddFooter>&amp;C&amp;P / &amp;N</oddFooter></headerFooter>';

/**
 * Writes a workbook of a sheet with these rows under its headings. Texts stay texts, whatever they begin
 * with. Contract 8.
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
    const { width } = LOOKS[kind];
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const headings = columns.map(({ heading, kind }, index) =>
    textXml(`${letters[index]}1`, heading, kind === 'text' ? HEADING : HEADING_OF_FIGURES),
  );
  // The headings stay in sight.
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
    return textXml(place, value, FORMULA_LIKE.test(value) ? QUOTED : LOOKS[kind].style);
  return `<c r="${place}" s="${LOOKS[kind].style}"><v>${numberOf(value, kind)}</v></c>`;
}

function numberOf(value: number, kind: CellKind): number {
  if (kind === 'money') return value / 100;
  return kind === 'moment' || kind === 'day' ? serialAt(value, kind) : value;
}

function serialAt(at: Instant, kind: CellKind): number {
  const serial = serialOf(at);
  return kind === 'day' ? Math.floor(serial) : serial;
}

/** Writes a text into its cell itself, so that it is never taken for a formula. */
function textXml(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** Names a column by its number from 0: `A`, `B`, … `Z`, `AA`. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`;
}
