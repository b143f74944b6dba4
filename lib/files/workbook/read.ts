import { type Book, findBook } from './book.ts';
import { type RawCell, RowReader } from './cells.ts';
import { openPackage, type ReadPart } from './package.ts';
import { SharedTextReader } from './shared-texts.ts';
import { StyleReader } from './styles.ts';
import { readCell, readText, type SharedCells, type SheetCell } from './value.ts';

/*
 * Reads the first visible worksheet of a workbook as a stream: only texts of the imported cells are held, and
 * reading stops at its limits, whatever else the file contains or declares. So any file costs at most
 * inflating and scanning 32 MB, half a second, and a few megabytes of memory.
 */

/** A row of a sheet that is not blank: its number, from 1, and its cells, undefined if blank. */
export interface Row {
  readonly number: number;
  readonly cells: readonly (SheetCell | undefined)[];
}

/** A sheet: the cells of its row of headings, and its rows below. */
export interface Sheet {
  readonly header: Row['cells'];
  readonly rows: readonly Row[];
}

/** Rows of shared texts may turn out blank: rows to scan for each requested one. */
const CANDIDATES = 4;

/**
 * Reads the header of a workbook's first visible worksheet, and the rows below with something in one of the
 * first `columns`, up to one more than `max`. Throws if the file is corrupt or too large. Contract 9.135 and
 * 9.136.
 */
export async function readSheet(
  content: Buffer,
  { columns, max }: { readonly columns: number; readonly max: number },
): Promise<Sheet> {
  const readPart = await openPackage(content);
  const book = await findBook(readPart);
  const candidates = max * CANDIDATES + 1;
  const { header, rows: raw } = await rowsOf(readPart, book.sheet, { columns, max: candidates });
  const cells = [header, ...raw.values()].flatMap((row) => [...row.values()]);
  const shared = await readSharedTexts(readPart, book, new Set(cells.filter(isShared).map(numberOf)));
  const styles = await readStyles(readPart, book);
  const styleOf = (style: number) => styles.get(style);
  const context = { shared, styleOf, isFrom1904: book.isFrom1904 };
  const cellsOf = (row: RawRow) =>
    Array.from({ length: columns }, (_, index) => row.get(index + 1)).map(
      (cell) => cell && readCell(cell, context),
    );
  const rows = [...raw].map(([number, row]) => ({ number, cells: cellsOf(row) }));
  const filled = rows.filter((row) => row.cells.some((cell) => cell !== undefined));
  if (raw.size >= candidates && filled.length <= max) throw new Error('The sheet has too many blank rows');
  return { header: cellsOf(header), rows: filled.slice(0, max + 1) };
}

/** Number of the row of headings. */
const HEADER = 1;

/** Cells by column; rows with the same number are merged. */
type RawRow = ReadonlyMap<number, RawCell>;

async function rowsOf(
  readPart: ReadPart,
  sheet: string,
  { columns, max }: { readonly columns: number; readonly max: number },
): Promise<{ header: RawRow; rows: ReadonlyMap<number, RawRow> }> {
  let header: RawRow = new Map();
  const rows = new Map<number, Map<number, RawCell>>();
  const reader = new RowReader(columns);
  await readPart(sheet, (token) => {
    const row = reader.take(token);
    if (row?.number === HEADER) header = merge(header, row.cells);
    if (row && row.number > HEADER) rows.set(row.number, merge(rows.get(row.number), row.cells));
    return rows.size >= max || (token.kind === 'close' && token.name === 'sheetData');
  });
  return { header, rows };
}

/**
 * Merges the cells of a row's part with the earlier ones. Throws if two have the same name: neither
 * overwrites the other.
 */
function merge(earlier: ReadonlyMap<number, RawCell> | undefined, cells: readonly RawCell[]) {
  const row = new Map(earlier);
  for (const cell of cells) {
    if (row.has(cell.column)) throw new Error('The sheet has two cells of one name');
    row.set(cell.column, cell);
  }
  return row;
}

async function readSharedTexts(
  readPart: ReadPart,
  { sharedTexts }: Book,
  indexes: ReadonlySet<number>,
): Promise<SharedCells> {
  const reader = new SharedTextReader(indexes);
  if (sharedTexts === undefined) return new Map();
  const last = Math.max(0, ...indexes);
  await readPart(sharedTexts, (token) => {
    reader.take(token);
    return reader.isPast(last);
  });
  // Each is parsed once: any number of cells may share it.
  return new Map([...reader.texts].map(([index, text]) => [index, readText(text)]));
}

async function readStyles(readPart: ReadPart, { styles }: Book): Promise<StyleReader> {
  const reader = new StyleReader();
  if (styles === undefined) return reader;
  await readPart(styles, (token) => {
    reader.take(token);
    return token.kind === 'close' && token.name === 'cellXfs';
  });
  return reader;
}

function isShared({ type }: RawCell): boolean {
  return type === 's';
}

function numberOf({ text }: RawCell): number {
  return Number(text);
}
