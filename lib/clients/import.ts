import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { codeCell, phoneCell, textCell } from '#lib/files/columns.ts';
import { externalIdInput, RequiredExternalId } from '#lib/records/external-id.ts';
import { type AnyRow, type ImportedNoun, importRecords, recordWorkbook } from '#lib/records/import.ts';
import { importSheets } from '#lib/records/sheet/import-sheets.ts';
import { lineOfText, optionalLine, orNull, Phone, text } from '#lib/values/fields.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Client, clients, newClient } from './client.ts';
import { ClientInput } from './client-input.ts';

const Row = z.object({
  full_name: textCell(text(255)),
  main_phone: phoneCell(Phone),
  address: textCell(optionalLine(500)),
  external_id: codeCell(orNull(externalIdInput.external_id)),
});

/** Digits of a telephone, or those by which an anonymized card has none. */
const StoredPhone = z.string().regex(/^\d{12}$/, { error: 'validation.not_phone' });

const RowOfUpdate = Row.extend({
  main_phone: phoneCell(StoredPhone),
  address: textCell(lineOfText(500)),
  external_id: codeCell(RequiredExternalId),
}).partial();

/** Body of an import of clients. Part 5, 5B.9, 2. */
export const ClientWorkbook = recordWorkbook(Row, RowOfUpdate);

const imported: ImportedNoun<typeof clients.schema, AnyRow<z.output<typeof Row>>> = {
  type: clients,
  right: 'company.client.client',
  column: 'main_phone',
  textOf: ({ main_phone }) => main_phone,
  textIssue: ({ main_phone }, before) =>
    main_phone === undefined || main_phone === before?.main_phone || Phone.safeParse(main_phone).success
      ? undefined
      : 'validation.not_phone',
  externalIdOf: ({ external_id }) => external_id,
  required: ['full_name', 'main_phone'],
  fresh: (_, base, row) => ({ ...newClient(base, ClientInput.parse(row)), is_imported: true }),
  after: (before, row) => ({
    ...before,
    full_name: row.full_name ?? before.full_name,
    main_phone: row.main_phone ?? before.main_phone,
    address: row.address ?? before.address,
    external_id: row.external_id ?? before.external_id,
    is_deleted: false,
  }),
};

/** Imports clients, by external id, else by phone. As `importRecords`. */
export function importClients(
  actor: Staff,
  workbook: z.output<typeof ClientWorkbook>,
  options: { readonly at: Instant; readonly locale: Locale },
) {
  return importRecords(imported, actor, workbook, options);
}

const sheets = importSheets(clients, Client, {
  columns: Row.keyof().options,
  headingOf: (column) => `client.column.${column}`,
  title: 'sheet.clients',
  template: {
    sheet: 'Clients',
    rows: [
      ['Karimov Anvar', '998901234567', 'Toshkent, Navoiy 1', '1C-000017'],
      ['Olimova Nodira', '998907654321', '', ''],
    ],
  },
});

/** Creates a template workbook. */
export const exampleClients = sheets.example;

/** Workbook of clients in the columns of the import. */
export const clientSheet = sheets.sheet;
