import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { products } from '#lib/catalog/card.ts';
import { importOutcome } from '#lib/files/import-outcome.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { mergeWrites, withoutErrors } from '#lib/table/change/writes.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { FloorCheck } from './floors.ts';
import { checkResolved, checkUnique, lookUp } from './lookup.ts';
import { newProduct } from './product.ts';
import { cardOfRow } from './row-card.ts';
import { planUpdate } from './update.ts';
import type { ProductRow, ProductWorkbook } from './workbook.ts';

/**
 * Makes a main card of each row, all or none; with the mode `update` it changes those that the family has by
 * their barcodes. 422 on `rows.<number>.<column>` for a category, brand or unit that the family doesn't have,
 * and for a barcode, PLU or external id that another product has or that comes twice.
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
  // If something changes between the look and the write, all of it starts again with a new look.
  const counts = await retryOnContention(async () => {
    const { writes, ...rows } =
      workbook.mode === 'update'
        ? await planUpdate(actor, workbook.rows, { at, checkFloors })
        : await planCreation(actor, workbook.rows, at);
    if (writes.length > 0) await transact(withoutErrors(writes));
    return rows;
  });
  return importOutcome(locale, Object.keys(workbook.rows).length, counts);
}

async function planCreation(actor: Staff, rows: Readonly<Record<string, ProductRow>>, at: Instant) {
  const { tenant } = actor;
  const lookup = await lookUp(tenant, rows);
  const issues = new ValidationIssues();
  const judged = { rows, lookup, issues };
  for (const column of ['category', 'brand', 'unit'] as const) checkResolved(judged, column);
  for (const column of ['barcode', 'plu', 'external_id'] as const) checkUnique(judged, column);
  issues.throwIfAny();
  const all = Object.values(rows);
  const first = await nextId(products.type, tenant, all.length);
  const made = all.map((row, index) =>
    newProduct(actor, first + index, cardOfRow(row, lookup), { cause: 'import', at }),
  );
  const writes = mergeWrites(made.flatMap((product) => insertion(products, tenant, product)));
  return { writes, created: made.length, changed: 0, restored: 0 };
}
