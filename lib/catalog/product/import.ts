import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { products } from '#lib/catalog/card.ts';
import { runImport } from '#lib/files/import-outcome.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { mergeWrites } from '#lib/table/change/writes.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { FloorCheck } from './floors.ts';
import { checkBarcodes, checkNamesKnown, checkUnique, lookUp } from './lookup.ts';
import { checkPriceCells, readSheetTypes } from './price-cells.ts';
import { newProduct } from './product.ts';
import { cardOfRow, changeOfNewRow } from './row-card.ts';
import { planUpdate } from './update.ts';
import type { ProductRow, ProductWorkbook } from './workbook.ts';

/**
 * Creates a main card for each row, all or none; in mode `update`, edits the family's cards with the rows'
 * barcodes. 422 on `rows.<number>.<column>` for an unknown category, brand or unit, and for a barcode, PLU or
 * external id that is duplicate or belongs to another product.
 */
export async function importProducts(
  actor: Staff,
  workbook: z.output<typeof ProductWorkbook>,
  {
    at,
    locale,
    checkFloors,
  }: { readonly at: Instant; readonly locale: Locale; readonly checkFloors: FloorCheck },
) {
  return runImport(workbook, locale, () =>
    workbook.mode === 'update'
      ? planUpdate(actor, workbook, { at, checkFloors })
      : planCreation(actor, workbook, { at, checkFloors }),
  );
}

async function planCreation(
  actor: Staff,
  { rows, headings }: { rows: Readonly<Record<string, ProductRow>>; headings: readonly string[] },
  { at, checkFloors }: { readonly at: Instant; readonly checkFloors: FloorCheck },
) {
  const { tenant } = actor;
  const [lookup, sheet] = await Promise.all([lookUp(tenant, rows), readSheetTypes(tenant, headings)]);
  const issues = new ValidationIssues();
  const entries = Object.entries(rows).map(([number, row]) => ({ number, row }));
  checkNamesKnown(entries, lookup, issues);
  for (const column of ['plu', 'external_id'] as const) checkUnique({ rows, lookup, issues }, column);
  checkBarcodes(entries, lookup, issues);
  checkPriceCells(rows, sheet, issues);
  await checkFloors(
    actor,
    entries.map((entry) => changeOfNewRow(entry, sheet)),
    issues,
  );
  issues.throwIfAny();
  const all = Object.values(rows);
  const first = await nextId(products.type, tenant, all.length);
  const made = all.map((row, index) =>
    newProduct(actor, first + index, cardOfRow(row, lookup, sheet), { cause: 'import', at }),
  );
  const writes = mergeWrites(made.flatMap((product) => insertion(products, tenant, product)));
  return { writes, created: made.length, changed: 0, restored: 0 };
}
