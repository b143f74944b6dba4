import { type RawCell, type RawRow, RowReader, SharedTextReader } from './cells.ts';
import { DateStyleReader, dayOfSerial } from './date-styles.ts';
import { attributeOf, tokensOf, unzip, type XmlToken } from './package.ts';

/*
 * Reads the first sheet of a workbook as a stream: only texts of the cells that an import wants are kept, and
 * reading stops at its limits, whatever else the file contains or says of itself. So no file costs more than
 * to inflate and scan 32 MB, half a second, and a few megabytes.
 */

/** A row of a sheet that is not blank: its number, from 1, and the texts of its cells. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Elements that are looked at: a million empty rows are as many; a row that is wanted has up to fifty. */
const MOST_ELEMENTS = 1_200_000;

/** Rows of shared texts may turn out blank: so many are looked at for each row that is wanted. */
const CANDIDATES = 4;

/**
 * Reads rows of a workbook's first sheet with something in one of the first `columns`, up to one more than
 * `most`. Throws if the file is broken or too large.
 */
export async function readSheet(
  content: Buffer,
  { columns, most }: { readonly columns: number; readonly most: number },
): Promise<Row[]> {
  const readPart = await openWorkbook(content);
  const rows = await sheetRowsOf(readPart, columns, most * CANDIDATES + 1);
  const cells = rows.flatMap((row) => row.cells);
  const shared = await readSharedTexts(readPart, new Set(cells.filter(isShared).map(numberOf)));
  const styles = cells.some(isStyled) ? await readDateStyles(readPart) : undefined;
  const wordOf = (cell: RawCell) => textIn(cell, shared, styles).trim();
  const named = rows.map(({ number, cells: raw }) => {
    const texts = Array.from({ length: columns }, () => '');
    for (const cell of raw) texts[cell.column - 1] = wordOf(cell);
    return { number, cells: texts };
  });
  return named.filter((row) => row.cells.some(Boolean)).slice(0, most + 1);
}

type ReadPart = Awaited<ReturnType<typeof openWorkbook>>;

async function openWorkbook(content: Buffer) {
  const textOf = await unzip(content);
  let elements = 0;

  /** Hands over the tokens of a file until `take` answers true. A file that is not there has none. */
  return async function readPart(
    name: string,
    take: (token: XmlToken) => boolean | undefined,
  ): Promise<void> {
    for await (const tokens of tokensOf(textOf(name))) {
      for (const token of tokens) if (take(token)) return;
      elements += tokens.filter(({ kind }) => kind === 'open').length;
      if (elements > MOST_ELEMENTS) throw new Error('The workbook has more in it than it may');
    }
  };
}

async function sheetRowsOf(readPart: ReadPart, columns: number, most: number): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  const reader = new RowReader(columns);
  await readPart(await firstSheet(readPart), (token) => {
    const row = reader.take(token);
    // The header is row 1.
    if (row && row.number > 1) rows.push(row);
    return rows.length >= most || (token.kind === 'close' && token.name === 'sheetData');
  });
  return rows;
}

/** Finds the file of the first sheet, as the workbook and its relations name it. */
async function firstSheet(readPart: ReadPart): Promise<string> {
  let relation: string | undefined;
  await readPart('xl/workbook.xml', (token) => {
    if (token.kind === 'open' && token.name === 'sheet') relation = attributeOf(token.attributes, 'id');
    return relation !== undefined;
  });
  let target: string | undefined;
  await readPart('xl/_rels/workbook.xml.rels', (token) => {
    if (token.kind === 'open' && attributeOf(token.attributes, 'Id') === relation)
      target = attributeOf(token.attributes, 'Target');
    return target !== undefined;
  });
  if (target === undefined) throw new Error('The workbook has no sheet');
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

async function readSharedTexts(
  readPart: ReadPart,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const reader = new SharedTextReader(wanted);
  if (wanted.size === 0) return reader.texts;
  const last = Math.max(...wanted);
  await readPart('xl/sharedStrings.xml', (token) => {
    reader.take(token);
    return reader.isPast(last);
  });
  return reader.texts;
}

async function readDateStyles(readPart: ReadPart): Promise<DateStyleReader> {
  const reader = new DateStyleReader();
  await readPart('xl/styles.xml', (token) => {
    reader.take(token);
    return token.kind === 'close' && token.name === 'cellXfs';
  });
  return reader;
}

function textIn(
  cell: RawCell,
  shared: ReadonlyMap<number, string>,
  styles: DateStyleReader | undefined,
): string {
  const { type, text, style } = cell;
  if (type === 'e') return '';
  if (type === 's') return withoutEscapes(shared.get(numberOf(cell)) ?? '');
  if (type === 'b') return text.trim() === '1' ? 'true' : 'false';
  if (type === 'd') return text.slice(0, 10);
  if (type !== 'n') return withoutEscapes(text);
  const number = Number(text);
  if (!Number.isFinite(number)) return '';
  return styles?.isDay(style) ? dayOfSerial(number) : String(number);
}

function isShared({ type }: RawCell): boolean {
  return type === 's';
}

function isStyled({ type, style }: RawCell): boolean {
  return type === 'n' && style > 0;
}

function numberOf({ text }: RawCell): number {
  return Number(text);
}

/** Takes a text's escapes back: signs that XML can't hold are spelled as `_x000D_`. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
