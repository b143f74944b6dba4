import type { Alignment, Borders, Row, Worksheet } from 'exceljs';
import { decimalOf, type MinorUnits } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { A4, asCellText } from './sheet-package.ts';
import type { Cell } from './sheet-writer.ts';
import { WORKBOOK_TYPE } from './workbooks.ts';

/** A column of a printed table: amounts are in 1/100, quantities in 1/100 000 000. */
export interface PrintedColumn {
  readonly heading: string;
  readonly kind: 'text' | 'number' | 'money' | 'quantity';
  /** In characters. */
  readonly width: number;
}

/** The content of a cell; a large sum may exceed the safe integers. */
type PrintedCell = Cell | bigint;

/** A sheet of A4, ready to print. */
export interface PrintedForm {
  readonly filename: string;
  readonly title: string;
  /** Lines above the table. */
  readonly head: readonly string[];
  readonly columns: readonly PrintedColumn[];
  readonly rows: readonly (readonly PrintedCell[])[];
  readonly totals: readonly (readonly PrintedCell[])[];
  /** Sums below the table. */
  readonly summary: readonly { readonly label: string; readonly amount: MinorUnits | null }[];
  /** Lines below the sums. */
  readonly remarks: readonly string[];
  /** Signatories: each has a line to sign on. */
  readonly signatures: readonly string[];
}

const THIN: Partial<Borders> = {
  top: { style: 'thin' },
  left: { style: 'thin' },
  bottom: { style: 'thin' },
  right: { style: 'thin' },
};

const FORMATS = { text: '@', number: '0', money: '#,##0.00', quantity: 'General' } as const;

/** Height of a text line, in points. */
const LINE_HEIGHT = 15;

/** Shrinks a number that is too long for its column, rather than showing `###`. */
const SHRINK_TO_FIT: Partial<Alignment> = { wrapText: false, shrinkToFit: true };

const FONT = 'Calibri';

const SIGNATURE = '____________________';

/** Renders a form. Texts stay texts, even if they look like formulas. Contract 8. */
export async function renderPrintedForm(form: PrintedForm) {
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet(form.title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31));
  sheet.columns = form.columns.map(({ width }) => ({ width }));
  addLine(sheet, form.title, form.columns).font = { name: FONT, bold: true, size: 14 };
  for (const line of form.head) addLine(sheet, line, form.columns);
  sheet.addRow([]);
  const heading = sheet.addRow(form.columns.map((column) => asCellText(column.heading)));
  heading.font = { name: FONT, bold: true };
  decorate(heading, form.columns, { horizontal: 'center', vertical: 'middle', wrapText: true });
  for (const row of form.rows) addCells(sheet, row, form.columns);
  for (const row of form.totals) addCells(sheet, row, form.columns).font = { name: FONT, bold: true };
  if (form.summary.length > 0) sheet.addRow([]);
  for (const { label, amount } of form.summary) addSum(sheet, label, amount, form.columns.length);
  if (form.remarks.length > 0) sheet.addRow([]);
  for (const line of form.remarks) addLine(sheet, line, form.columns);
  for (const signatory of form.signatures) {
    sheet.addRow([]);
    addLine(sheet, `${signatory} ${SIGNATURE}`, form.columns);
  }
  prepareForPaper(sheet, heading.number);
  const content = new Uint8Array(await workbook.xlsx.writeBuffer());
  return { filename: form.filename, type: WORKBOOK_TYPE, content };
}

/**
 * Sets a sheet to the width of the paper and any number of pages, with the table's headings on every page.
 */
function prepareForPaper(sheet: Worksheet, headingRow: number): void {
  sheet.pageSetup = {
    paperSize: A4,
    orientation: 'portrait',
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
    horizontalCentered: true,
    margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
    printTitlesRow: `${headingRow}:${headingRow}`,
  };
  sheet.headerFooter.oddFooter = '&C&P / &N';
}

/** Adds a line as wide as the table. Sets its height: programs do not fit wrapped text in merged cells. */
function addLine(sheet: Worksheet, text: string, columns: readonly PrintedColumn[]): Row {
  const row = sheet.addRow([asCellText(text)]);
  sheet.mergeCells(row.number, 1, row.number, columns.length);
  row.alignment = { wrapText: true, vertical: 'middle' };
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const lines = linesOf(text, width);
  if (lines > 1) row.height = LINE_HEIGHT * lines;
  return row;
}

function addCells(sheet: Worksheet, cells: readonly PrintedCell[], columns: readonly PrintedColumn[]): Row {
  const row = sheet.addRow(cells.map((cell, index) => cellValueOf(cell, columns[index]?.kind)));
  decorate(row, columns, { vertical: 'top', wrapText: true });
  return row;
}

function addSum(sheet: Worksheet, label: string, amount: MinorUnits | null, width: number): void {
  const row = sheet.addRow([asCellText(label)]);
  sheet.mergeCells(row.number, 1, row.number, width - 2);
  row.getCell(1).alignment = { horizontal: 'right' };
  sheet.mergeCells(row.number, width - 1, row.number, width);
  const cell = row.getCell(width - 1);
  cell.value = cellValueOf(amount, 'money');
  cell.numFmt = FORMATS.money;
}

function decorate(row: Row, columns: readonly PrintedColumn[], alignment: Partial<Alignment>): void {
  for (const [index, { kind }] of columns.entries()) {
    const cell = row.getCell(index + 1);
    cell.border = THIN;
    cell.alignment = alignment;
    if (typeof cell.value !== 'number') continue;
    cell.numFmt = FORMATS[kind];
    // A row number would touch the text beside it.
    cell.alignment = { ...alignment, ...SHRINK_TO_FIT, ...(kind === 'number' && { horizontal: 'center' }) };
  }
  const lines = columns.map(({ width }, index) => linesOf(row.getCell(index + 1).text, width));
  // Without a height, some programs print a wrapped text over the next row.
  row.height = LINE_HEIGHT * Math.max(...lines);
}

/** Estimates the lines of a text in a column, wrapped between words. */
function linesOf(text: string, width: number): number {
  const room = width - 1;
  let [lines, used] = [1, 0];
  for (const word of text.split(/\s+/)) {
    const isOver = used > 0 && used + 1 + word.length > room;
    lines += isOver ? 1 : 0;
    used = (isOver || used === 0 ? 0 : used + 1) + word.length;
    lines += Math.ceil(used / room) - 1;
    used = used > room ? used % room : used;
  }
  return Math.max(1, lines);
}

function cellValueOf(cell: PrintedCell, kind: PrintedColumn['kind'] = 'text'): Cell {
  if (typeof cell === 'bigint') return decimalOf(cell, kind === 'money' ? 2 : 8);
  if (typeof cell !== 'number') return cell && asCellText(cell);
  if (kind === 'money') return cell / 100;
  return kind === 'quantity' ? cell / ONE : cell;
}
