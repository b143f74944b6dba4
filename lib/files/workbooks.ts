import * as z from 'zod';
import { FileBytes } from './upload.ts';
import { isWorkbook, readSheet } from './workbook/read.ts';

/** The media type of an .xlsx. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The size of paper, by its number in workbooks. */
export const A4 = 9;

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
    const { columns, rows: most } = limits;
    // What can't be read is the caller's.
    const rows = await readSheet(content, { columns, most }).catch(() => undefined);
    if (rows && rows.length <= most) return rows;
    context.addIssue(
      rows
        ? { code: 'custom', message: 'file.too_many_rows', params: { max: most } }
        : { code: 'custom', message: 'file.not_workbook' },
    );
    return z.NEVER;
  });
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
  page.pageSetup = {
    paperSize: A4,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
  };
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}
