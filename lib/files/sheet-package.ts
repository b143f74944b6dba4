import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/* The files of an .xlsx with one sheet, besides the sheet itself. */

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** The paper size, by its number in workbooks. */
export const A4 = 9;
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf fontId="1" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf><xf quotePrefix="1"/></cellXfs></styleSheet>`;

/** Returns the files of a workbook with one sheet. */
export function packageOf(title: string, sheet: ZipEntry['parts']): ZipEntry[] {
  return [
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
    { name: 'xl/worksheets/sheet1.xml', parts: sheet },
  ];
}

// Excel reads `_x000D_` as a character, unless its first underscore is escaped likewise.
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

// Characters that XML can't represent, even escaped.
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Escapes a text for a cell, which then shows it unchanged. */
export function asCellText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(ESCAPE, '_x005F_');
}

const SPECIAL = /[&<>"]/g;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML. */
export function escapeXml(text: string): string {
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
  // Repeats the headings on each printed page.
  const headings = `${escapeXml(`'${title.replaceAll("'", "''")}'`)}!$1:$1`;
  const titles = `<definedName name="_xlnm.Print_Titles" localSheetId="0">${headings}</definedName>`;
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheet}</sheets><definedNames>${titles}</definedNames></workbook>`;
}

/** A file of a zip: its name, and its text in parts, which are compressed as they arrive. */
export interface ZipEntry {
  readonly name: string;
  readonly parts: AsyncIterable<string> | Iterable<string>;
}

const OPTIONS = {
  // Higher levels take twice the time for a tenth of the size.
  compressionLevel: 4,
  // The earliest date of a zip, fixed so that the same texts make the same bytes.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
};

/** Makes a zip of some files. Only compressed data is held in memory. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  zip.on('error', (error) => packed.destroy(error));
  for (const { name, parts } of entries) {
    const stream = Readable.from(parts);
    // Without its own handler, a failed read of the table would end the process.
    stream.on('error', (error) => packed.destroy(error));
    zip.addReadStream(stream, name, OPTIONS);
  }
  zip.end();
  const packed = new PassThrough();
  const [content] = await Promise.all([buffer(packed), pipeline(zip.outputStream, packed)]);
  return new Uint8Array(content);
}
