import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { type RecordType, recordSource } from '#lib/records/record.ts';
import type { RecordSchema } from '#lib/records/stored.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Shape, SheetCall } from './column.ts';
import { rowSheet } from './sheet.ts';

/** Columns of texts that an import takes, and what stands above and in its workbooks. */
interface ImportColumns<C> {
  readonly columns: readonly C[];
  readonly headingOf: (column: C) => LabelKey;
  /** Name of the workbook of a list. */
  readonly title: LabelKey;
  readonly template: { readonly sheet: string; readonly rows: string[][] };
}

/** Returns the template of an import, and the workbook of a list in the same columns. Part 5, 5B.9, 2. */
export function importSheets<S extends RecordSchema, F extends Shape, C extends keyof F & string>(
  type: RecordType<S>,
  record: z.ZodObject<F>,
  { columns, headingOf, title, template }: ImportColumns<C>,
) {
  const sheet = rowSheet(record, title, ({ columnUnder }) =>
    columns.map((column) => columnUnder(headingOf(column), column, 'text')),
  );
  return {
    async example(locale: Locale) {
      const header = columns.map((column) => translateLabel(locale, { key: headingOf(column) }));
      const content = await writeWorkbook(template.sheet, header, template.rows);
      return { filename: `${template.sheet.toLowerCase()}.xlsx`, type: WORKBOOK_TYPE, content };
    },
    sheet: {
      give(call: SheetCall & { readonly actor: Staff }) {
        return sheet.give(recordSource(type, call.actor.tenant), call.query.where, call);
      },
    },
  };
}
