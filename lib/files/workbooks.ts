import type { CellValue } from 'exceljs';
import * as z from 'zod';
import { FileBytes } from './upload.ts';

/** The media type of an .xlsx. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

// A sheet of the rows that an import may have inflates to far less; a zip bomb to far more.
const MOST_INFLATED = 32 * 1024 * 1024;

const CENTRAL_ENTRY = Buffer.from('504b0102', 'hex');
const ZIP = Buffer.from('504b0304', 'hex');

/** Makes the field of a required .xlsx in a form, told by its bytes. 422 with one of the `file.*` texts. */
function workbookFile(kilobytes: number) {
  return FileBytes.meta({ type: 'string', format: 'binary', contentMediaType: WORKBOOK_TYPE }).superRefine(
    (content, context) => {
      if (content.length > kilobytes * 1024) {
        context.addIssue({ code: 'custom', message: 'file.too_large', params: { max: kilobytes } });
      } else if (!isWorkbook(content)) context.addIssue({ code: 'custom', message: 'file.not_workbook' });
    },
  );
}

/** A row of a sheet that is not blank: its number, from 1, and the texts of its cells. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Makes the field for the rows of a required .xlsx in a form: those of its first sheet, without the header
 * row.
 */
export function sheetRows(limits: {
  readonly columns: number;
  readonly rows: number;
  readonly kilobytes: number;
}) {
  return workbookFile(limits.kilobytes).transform(async (content, context) => {
    const rows = await readRows(content, limits.columns);
    // The header is row 1.
    if (rows?.every(({ number }) => number <= limits.rows + 1)) return rows;
    context.addIssue(
      rows
        ? { code: 'custom', message: 'file.too_many_rows', params: { max: limits.rows } }
        : { code: 'custom', message: 'file.not_workbook' },
    );
    return z.NEVER;
  });
}

async function readRows(content: Uint8Array, columns: number): Promise<Row[] | undefined> {
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.Workbook();
  try {
    await workbook.xlsx.load(Uint8Array.from(content).buffer);
  } catch {
    return undefined;
  }
  const rows: Row[] = [];
  workbook.worksheets[0]?.eachRow((row, number) => {
    const cells = Array.from({ length: columns }, (_, index) => textOf(row.getCell(index + 1).value));
    if (number > 1 && cells.some(Boolean)) rows.push({ number, cells });
  });
  return rows;
}

/** Writes a workbook of one sheet. Texts stay texts, even those that look like formulas. Decisions, 8. */
export async function writeWorkbook(
  sheet: string,
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.Workbook();
  const page = workbook.addWorksheet(sheet);
  page.addRow([...header]).font = { bold: true };
  for (const row of rows) page.addRow([...row]);
  page.columns = header.map(() => ({ width: 30 }));
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

function textOf(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value !== 'object') return String(value).trim();
  if ('richText' in value)
    return value.richText
      .map(({ text }) => text)
      .join('')
      .trim();
  if ('text' in value) return textOf(value.text);
  if ('result' in value) return textOf(value.result);
  return '';
}

function isWorkbook(content: Buffer): boolean {
  if (!content.subarray(0, ZIP.length).equals(ZIP)) return false;
  return content.includes('xl/workbook.xml') && inflatedSize(content) <= MOST_INFLATED;
}

/** Sums the sizes of its files, as a zip's directory gives them. */
function inflatedSize(zip: Buffer): number {
  let total = 0;
  for (
    let at = zip.indexOf(CENTRAL_ENTRY);
    at !== -1;
    at = zip.indexOf(CENTRAL_ENTRY, at + CENTRAL_ENTRY.length)
  ) {
    if (at + 28 <= zip.length) total += zip.readUInt32LE(at + 24);
  }
  return total;
}
