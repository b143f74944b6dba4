import * as z from 'zod';
import { barcodeInput } from '#lib/catalog/barcodes.ts';
import { fiscalCells } from '#lib/catalog/fiscal-fields.ts';
import { codeCell, numberCell, percentCell, textCell } from '#lib/files/columns.ts';
import { importFields } from '#lib/files/import-outcome.ts';
import { byNumber, headingsOf, sheetRows, WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { externalIdInput, RequiredExternalId } from '#lib/records/external-id.ts';
import { code } from '#lib/values/code.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { linesOfText, orNull, text } from '#lib/values/fields.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { packCell } from './pack-cells.ts';
import { priceCells } from './price-cells.ts';
import { cardFields } from './product.ts';

const Price = numberCell(amount(0.01));

const Currencies = textCell(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(Currency),
);

const Fiscal = {
  mxik: codeCell(fiscalCells.mxik),
  package_code: codeCell(fiscalCells.package_code),
  is_marked: textCell(fiscalCells.is_marked),
};

const Columns = z.object({
  name: textCell(cardFields.name),
  category: textCell(text(255)),
  brand: textCell(text(255)),
  unit: textCell(text(255)),
  barcode: codeCell(cardFields.barcode),
  plu: codeCell(cardFields.plu),
  sale_price: Price,
  sale_currency: Currencies,
  description: textCell(cardFields.description),
  external_id: codeCell(orNull(externalIdInput.external_id)),
  ...Fiscal,
  barcodes: packCell,
  article: codeCell(barcodeInput.article),
  vat_percent: percentCell(fiscalCells.vat_percent),
  min_price: numberCell(orNull(amount(0))),
  min_quantity: numberCell(orNull(quantity(8, 0))),
});

const Row = Columns.extend({ prices: priceCells });

/** Column of the import, but for those of price types. */
export type ProductColumn = keyof typeof Columns.shape;

/** Row of an update: its barcode identifies the product, and an empty cell leaves its field unchanged. */
const RowOfUpdate = Columns.extend({
  plu: codeCell(code(64)),
  description: textCell(linesOfText(2000)),
  external_id: codeCell(RequiredExternalId),
  min_price: numberCell(amount(0)),
  min_quantity: numberCell(quantity(8, 0)),
})
  .partial()
  .extend({ barcode: Row.shape.barcode, prices: priceCells });

export type UpdateRow = z.output<typeof RowOfUpdate>;

/** Columns, in order. Those after the external id are optional, and absent from the example. */
export const COLUMNS = Columns.keyof().options;
const EXAMPLE = COLUMNS.slice(0, COLUMNS.indexOf('external_id') + 1);

/** Columns of price types read: more than a family has, so that none goes unnoticed. */
const MAX_TYPES = 20;

/** Limit of barcodes in a workbook, those of packs included. Part 5, 5B.9, 3. */
const MAX_CODES = 4000;

/** Row of the import. */
export type ProductRow = z.output<typeof Row>;

const common = { dry_run: z.boolean(), headings: z.array(z.string()) };

/** Body of an import; rows are validated like forms, at `rows.<number>.<column>`. */
export const ProductWorkbook = z
  .object({
    file: sheetRows({ columns: COLUMNS.length + MAX_TYPES, rows: 1000, kilobytes: 2048 }),
    mode: enumeration('import.mode', ['create', 'update']).default('create'),
    ...importFields,
  })
  .transform(({ file, ...rest }): { mode: string; dry_run: boolean; headings: unknown; rows: unknown } => {
    const cells = new Map(file.rows.map((row) => [`${row.number}`, row.cells.slice(COLUMNS.length)]));
    const rows = Object.entries(byNumber(file, COLUMNS)).map(([number, row]) => {
      return [number, { ...row, prices: cells.get(number) ?? [] }];
    });
    return { ...rest, headings: headingsOf(file).slice(COLUMNS.length), rows: Object.fromEntries(rows) };
  })
  .pipe(
    z.discriminatedUnion('mode', [
      z.object({ ...common, mode: z.literal('create'), rows: z.record(z.string(), Row) }),
      z.object({ ...common, mode: z.literal('update'), rows: z.record(z.string(), RowOfUpdate) }),
    ]),
  )
  .superRefine(({ rows }, context) => {
    const codes = Object.values(rows).reduce((sum, { barcodes = [] }) => sum + 1 + barcodes.length, 0);
    if (codes <= MAX_CODES) return;
    const params = { max: MAX_CODES };
    context.addIssue({ code: 'custom', message: 'file.too_many_codes', path: ['file'], params });
  });

/** Creates a template workbook. */
export async function exampleProducts(locale: Locale) {
  const header = EXAMPLE.map((column) => translateLabel(locale, { key: `product.column.${column}` }));
  const content = await writeWorkbook('Products', header, [
    ['Coca-Cola 1 l', 'Ichimliklar', 'Coca-Cola', 'dona', '4780000000017', '101', 12_000, 'uzs', '', ''],
    [
      'Artel Shiva 4.2',
      'Texnika',
      'Artel',
      'dona',
      '4780000000024',
      '',
      310.5,
      'usd',
      '2 kamera',
      '1C-000017',
    ],
  ]);
  return { filename: 'products.xlsx', type: WORKBOOK_TYPE, content };
}
