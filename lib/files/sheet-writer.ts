import { type Instant, serialOf } from '#lib/values/time.ts';
import { zipOf } from './zip.ts';

/*
 * A workbook of one long sheet, written as its rows come: memory holds only what is packed already. Exceljs
 * can do that too, but takes four times as long, and every list would load it. Workbooks that people print
 * are laid out with exceljs.
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

/** The style of each kind of cell, by its place in `STYLES`, and the width of its column. */
const LOOKS: Readonly<Record<CellKind, { readonly style: number; readonly width: number }>> = {
  text: { style: 0, width: 22 },
  money: { style: 2, width: 18 },
  moment: { style: 3, width: 19 },
  day: { style: 4, width: 12 },
  number: { style: 0, width: 12 },
};

const HEADING = 1;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/**
 * Writes a workbook of a sheet with these rows under its headings. Texts stay texts, whatever they begin
 * with. Decisions, 8.
 */
export function writeSheet(
  title: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf([
    { name: '[Content_Types].xml', parts: [typesXml()] },
    { name: '_rels/.rels', parts: [relationsXml([['officeDocument', 'xl/workbook.xml']])] },
    { name: 'xl/workbook.xml', parts: [workbookXml(title)] },
    {
      name: 'xl/_rels/workbook.xml.rels',
      parts: [
        relationsXml([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['styles', 'styles.xml'],
        ]),
      ],
    },
    { name: 'xl/styles.xml', parts: [STYLES] },
    { name: 'xl/worksheets/sheet1.xml', parts: sheetXml(columns, rows) },
  ]);
}

async function* sheetXml(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string, undefined> {
  const letters = columns.map((_, index) => lettersOf(index));
  const widths = columns.map(({ kind }, index) => {
    const { width } = LOOKS[kind];
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const headings = columns.map(({ heading }, index) => textXml(`${letters[index]}1`, heading, HEADING));
  // The headings stay in sight.
  const view = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${view}</sheetView></sheetViews>`;
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
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${number}"/></worksheet>`;
}

function cellXml(place: string, value: Cell, kind: CellKind): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return textXml(place, value, LOOKS[kind].style);
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

// Excel reads `_x000D_` as a character, unless its first underscore is written so itself.
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

// XML has no place for these, however they are written.
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Writes a text so that a workbook may hold it, and shows it as it is. */
export function asCellText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(ESCAPE, '_x005F_');
}

const SPECIAL = /[&<>"]/g;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return asCellText(text).replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}

function typesXml(): string {
  const parts = [
    ['xl/workbook.xml', 'sheet.main'],
    ['xl/worksheets/sheet1.xml', 'worksheet'],
    ['xl/styles.xml', 'styles'],
  ];
  const overrides = parts.map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${CONTENT}.${type}+xml"/>`,
  );
  const relations = 'application/vnd.openxmlformats-package.relationships+xml';
  const defaults = `<Default Extension="rels" ContentType="${relations}"/><Default Extension="xml" ContentType="application/xml"/>`;
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults}${overrides.join('')}</Types>`;
}

function relationsXml(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`;
}

function workbookXml(title: string): string {
  const sheet = `<sheet name="${escapeXml(title)}" sheetId="1" r:id="rId1"/>`;
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheet}</sheets></workbook>`;
}

/** Names a column by its number from 0: `A`, `B`, … `Z`, `AA`. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`;
}
