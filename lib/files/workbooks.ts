import * as z from 'zod';
import { kindOfForeignFile } from './foreign-file.ts';
import { type Cell, writeSheet } from './sheet-writer.ts';
import { FileBytes } from './upload.ts';
import { readSheet, type Sheet } from './workbook/read.ts';

/** The media type of an .xlsx. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Returns the field schema of a required .xlsx in a form: the rows of its first visible sheet, apart from
 * its headings. 422 with one of the `file.*` messages, also if it has no rows.
 */
export function sheetRows(limits: {
  readonly columns: number;
  readonly rows: number;
  readonly kilobytes: number;
}) {
  const { columns, rows: max, kilobytes } = limits;
  return FileBytes.meta({ type: 'string', format: 'binary', contentMediaType: WORKBOOK_TYPE }).transform(
    async (content, context) => {
      const refuse = (message: string, params = {}) => {
        context.addIssue({ code: 'custom', message, params });
        return z.NEVER;
      };
      if (content.length > kilobytes * 1024) return refuse('file.too_large', { max: kilobytes });
      // An unreadable file is the caller's error.
      const sheet = await readSheet(content, { columns, max }).catch(() => undefined);
      if (!sheet) return refuse('file.not_workbook', variantFor(content));
      const { rows } = sheet;
      if (rows.length === 0) return refuse('file.no_rows');
      return rows.length <= max ? sheet : refuse('file.too_many_rows', { max });
    },
  );
}

function variantFor(content: Buffer) {
  const variant = kindOfForeignFile(content);
  return variant && { variant };
}

/** Returns the headings of the columns, empty for one without. */
export function headingsOf({ header }: Sheet): string[] {
  return header.map((cell) => (cell && 'text' in cell ? cell.text : ''));
}

/** Returns the cells of each row by column name, under the row's number, which are the paths of issues. */
export function byNumber({ rows }: Sheet, columns: readonly string[]) {
  return Object.fromEntries(
    rows.map(({ number, cells }) => [
      number,
      Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
    ]),
  );
}

/** Writes the workbook of a table, e.g. the template of an import. */
export function writeWorkbook(
  title: string,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const columns = headings.map((heading) => ({ heading, kind: 'text' }) as const);
  return writeSheet(title, columns, [rows]);
}
