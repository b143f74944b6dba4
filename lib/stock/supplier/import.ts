import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { codeCell, phoneCell, textCell } from '#lib/files/columns.ts';
import { externalIdInput, RequiredExternalId } from '#lib/records/external-id.ts';
import { type AnyRow, type ImportedNoun, importRecords, recordWorkbook } from '#lib/records/import.ts';
import { importSheets } from '#lib/records/sheet/import-sheets.ts';
import { orNull, Phone, text } from '#lib/values/fields.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Supplier, SupplierInput, suppliers } from './supplier.ts';

const Row = z.object({
  name: textCell(text(255)),
  phone: phoneCell(orNull(Phone)),
  external_id: codeCell(orNull(externalIdInput.external_id)),
});

const RowOfUpdate = Row.extend({
  phone: phoneCell(Phone),
  external_id: codeCell(RequiredExternalId),
}).partial();

/** Body of an import of suppliers. Part 5, 5B.9, 2. */
export const SupplierWorkbook = recordWorkbook(Row, RowOfUpdate);

const imported: ImportedNoun<typeof suppliers.schema, AnyRow<z.output<typeof Row>>> = {
  type: suppliers,
  right: 'company.stock.supplier',
  column: 'name',
  textOf: ({ name }) => name,
  externalIdOf: ({ external_id }) => external_id,
  required: ['name'],
  fresh: (_, base, row) => ({ ...base, ...SupplierInput.parse(row) }),
  after: (before, row) => ({
    ...before,
    name: row.name ?? before.name,
    phone: row.phone ?? before.phone,
    external_id: row.external_id ?? before.external_id,
    is_deleted: false,
  }),
};

/** Imports suppliers, by external id, else by name. As `importRecords`. */
export function importSuppliers(
  actor: Staff,
  workbook: z.output<typeof SupplierWorkbook>,
  options: { readonly at: Instant; readonly locale: Locale },
) {
  return importRecords(imported, actor, workbook, options);
}

const sheets = importSheets(suppliers, Supplier, {
  columns: Row.keyof().options,
  headingOf: (column) => `supplier.column.${column}`,
  title: 'sheet.suppliers',
  template: {
    sheet: 'Suppliers',
    rows: [
      ['Toshkent Savdo', '998712345678', '1C-000004'],
      ['Samarqand Non', '', ''],
    ],
  },
});

/** Creates a template workbook. */
export const exampleSuppliers = sheets.example;

/** Workbook of suppliers in the columns of the import. */
export const supplierSheet = sheets.sheet;
