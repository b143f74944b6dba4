import { type RawCell, type RawRow, RowReader, SharedTextReader } from './cells.ts';
import { DateStyleReader, dayOfSerial } from './date-styles.ts';
import { type Budget, filesOf, inflatedText } from './unzip.ts';
import { attributeOf, tokensOf, type XmlToken } from './xml.ts';

/*
 * Reads the first sheet of a workbook as a stream: only texts of the cells that an import wants are kept, and
 * reading stops at its limits, whatever else the file contains or says of itself. So no file costs more than
 * to inflate and scan `MOST_INFLATED`, half a second, and a few megabytes.
 */

/** A row of a sheet that is not blank: its number, from 1, and the texts of its cells. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

// A sheet of the rows that an import may have inflates to far less; a million empty rows to 20 MB.
const MOST_INFLATED = 32 * 1024 * 1024;

// A million empty rows are as many; a row that is wanted has up to fifty.
const MOST_TOKENS = 1_200_000;

/** Rows of shared texts may turn out blank: so many are looked at for each row that is wanted. */
const CANDIDATES = 4;

/** Tells whether bytes are a zip that says it is a workbook. */
export function isWorkbook(content: Buffer): boolean {
  return filesOf(content)?.has('xl/workbook.xml') === true;
}

/**
 * Reads rows of a workbook's first sheet with something in one of the first `columns`, up to one more than
 * `most`. Throws if the file is broken or too large.
 */
export async function readSheet(
  content: Buffer,
  { columns, most }: { readonly columns: number; readonly most: number },
): Promise<Row[]> {
  const workbook = new Workbook(content);
  const rows = await sheetRowsOf(workbook, columns, most * CANDIDATES + 1);
  const cells = rows.flatMap((row) => row.cells);
  const shared = await sharedTexts(workbook, new Set(cells.filter(isShared).map(numberOf)));
  const styles = cells.some(isStyled) ? await dateStyles(workbook) : undefined;
  const wordOf = (cell: RawCell) => shownText(cell, shared, styles).trim();
  const shown = rows.map(({ number, cells: raw }) => {
    const texts = Array.from({ length: columns }, () => '');
    for (const cell of raw) texts[cell.column - 1] = wordOf(cell);
    return { number, cells: texts };
  });
  return shown.filter((row) => row.cells.some(Boolean)).slice(0, most + 1);
}

/** The files of a workbook, read against one budget. */
class Workbook {
  readonly #content: Buffer;
  readonly #files: NonNullable<ReturnType<typeof filesOf>>;
  readonly #budget: Budget = { left: MOST_INFLATED };
  #tokens = 0;

  constructor(content: Buffer) {
    const files = filesOf(content);
    if (!files) throw new Error('The zip is broken');
    this.#content = content;
    this.#files = files;
  }

  /** Hands over the tokens of a file until it is told to stop, by true. A file that is not there has none. */
  async read(name: string, take: (token: XmlToken) => boolean | undefined): Promise<void> {
    const entry = this.#files.get(name);
    if (!entry) return;
    for await (const tokens of tokensOf(inflatedText(this.#content, entry, this.#budget))) {
      for (const token of tokens) if (take(token)) return;
      this.#tokens += tokens.length;
      if (this.#tokens > MOST_TOKENS) throw new Error('The workbook has more in it than it may');
    }
  }
}

async function sheetRowsOf(workbook: Workbook, columns: number, most: number): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  const reader = new RowReader(columns);
  await workbook.read(await firstSheet(workbook), (token) => {
    const row = reader.take(token);
    // The header is row 1.
    if (row && row.number > 1) rows.push(row);
    return rows.length >= most || (token.kind === 'close' && token.name === 'sheetData');
  });
  return rows;
}

/** Finds the file of the first sheet, as the workbook and its relations name it. */
async function firstSheet(workbook: Workbook): Promise<string> {
  let relation: string | undefined;
  await workbook.read('xl/workbook.xml', (token) => {
    if (token.kind === 'open' && token.name === 'sheet') relation = attributeOf(token.attributes, 'id');
    return relation !== undefined;
  });
  let target: string | undefined;
  await workbook.read('xl/_rels/workbook.xml.rels', (token) => {
    if (token.kind === 'open' && attributeOf(token.attributes, 'Id') === relation)
      target = attributeOf(token.attributes, 'Target');
    return target !== undefined;
  });
  if (target === undefined) throw new Error('The workbook has no sheet');
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

async function sharedTexts(
  workbook: Workbook,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const reader = new SharedTextReader(wanted);
  if (wanted.size === 0) return reader.texts;
  const last = Math.max(...wanted);
  await workbook.read('xl/sharedStrings.xml', (token) => {
    reader.take(token);
    return reader.isPast(last);
  });
  return reader.texts;
}

async function dateStyles(workbook: Workbook): Promise<DateStyleReader> {
  const reader = new DateStyleReader();
  await workbook.read('xl/styles.xml', (token) => {
    reader.take(token);
    return token.kind === 'close' && token.name === 'cellXfs';
  });
  return reader;
}

function shownText(
  cell: RawCell,
  shared: ReadonlyMap<number, string>,
  styles: DateStyleReader | undefined,
): string {
  const { type, text, style } = cell;
  if (type === 'e') return '';
  if (type === 's') return unescapedText(shared.get(numberOf(cell)) ?? '');
  if (type === 'b') return text.trim() === '1' ? 'true' : 'false';
  if (type === 'd') return text.slice(0, 10);
  if (type !== 'n') return unescapedText(text);
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
function unescapedText(text: string): string {
  return text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
