import { type ZipEntry, zipOf } from '#lib/files/sheet-package.ts';
import type { Row } from '#lib/files/workbook/read.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Writes relationships: the type of each, and its target; their ids are `r1`, `r2` and so on. */
export function relationships(
  targets: readonly (readonly [type: string, target: string])[],
  namespace = OFFICE,
): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="r${index + 1}" Type="${namespace}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`;
}

/** Creates a package of parts as they are written. */
export async function packageOfParts(
  parts: Readonly<Record<string, string | Iterable<string>>>,
): Promise<Buffer> {
  const entries = Object.entries(parts).map(([name, text]): ZipEntry => {
    return { name, parts: typeof text === 'string' ? [text] : text };
  });
  return Buffer.from(await zipOf(entries));
}

/** Parts of a workbook beside the rows of its sheet. */
export interface BookParts {
  /** Content of the sheet after its rows. */
  readonly after?: string;
  readonly cols?: string;
  readonly names?: string;
  readonly properties?: string;
  readonly shared?: Iterable<string>;
  readonly styles?: string;
  /** Parts added to the usual ones, or replacing them. */
  readonly others?: Readonly<Record<string, string | Iterable<string>>>;
}

/** Creates a workbook of one sheet, of rows as they are written. */
export function bookOf(rows: Iterable<string>, parts: BookParts = {}): Promise<Buffer> {
  const { after = '', cols = '', names = '', properties = '', shared, styles, others } = parts;
  return packageOfParts({
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>${names}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ...(shared ? ([['sharedStrings', 'sharedStrings.xml']] as const) : []),
      ...(styles ? ([['styles', 'styles.xml']] as const) : []),
    ]),
    'xl/worksheets/sheet1.xml': wrap('worksheet', rows, `${cols}<sheetData>`, `</sheetData>${after}`),
    ...(shared && { 'xl/sharedStrings.xml': wrap('sst', shared) }),
    ...(styles && { 'xl/styles.xml': styles }),
    ...others,
  });
}

function* wrap(root: string, texts: Iterable<string>, before = '', after = '') {
  yield `<?xml version="1.0"?><${root}>${before}`;
  yield* texts;
  yield `${after}</${root}>`;
}

/** Writes the styles of cells with these formats: that of the first is 1. */
export function stylesOf(...formats: readonly string[]): string {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const cells = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  return `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs><xf/>${cells.join('')}</cellXfs></styleSheet>`;
}

/** Lists rows by their numbers and the texts of their cells; for one that failed, its problem. */
export function cellTextsOf(rows: readonly Row[]): (string | number)[][] {
  return rows.map(({ number, cells }) => [
    number,
    ...cells.map((cell) => (cell?.kind === 'failed' ? cell.issue : (cell?.text ?? ''))),
  ]);
}
