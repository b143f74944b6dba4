import * as z from 'zod';
import { kindOfForeignFile } from './foreign-file.ts';
import { type Cell, writeSheet } from './sheet-writer.ts';
import { FileBytes } from './upload.ts';
import { type Row, readSheet } from './workbook/read.ts';

/** The media type of an .xlsx. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Makes the field for the rows of a required .xlsx in a form: those of its first visible sheet, without the
 * header row. 422 with one of the `file.*` texts, also if there is no such row.
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
      // What can't be read is the caller's.
      const rows = await readSheet(content, { columns, max }).catch(() => undefined);
      if (!rows) return refuse('file.not_workbook', variantFor(content));
      if (rows.length === 0) return refuse('file.no_rows');
      return rows.length <= max ? rows : refuse('file.too_many_rows', { max });
    },
  );
}

function variantFor(content: Buffer) {
  const variant = kindOfForeignFile(content);
  return variant && { variant };
}

/** Gives the cells of each row their columns' names, under the row's number: as problems are named. */
export function byNumber(rows: readonly Row[], columns: readonly string[]) {
  return Object.fromEntries(
    rows.map(({ number, cells }) => [
      number,
      Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
    ]),
  );
}

/** Writes the workbook of a table, such as the template of an import. */
export function writeWorkbook(
  title: string,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const columns = headings.map((heading) => ({ heading, kind: 'text' }) as const);
  return writeSheet(title, columns, [rows]);
}
