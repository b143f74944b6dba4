import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { textCell } from '#lib/files/columns.ts';
import { importFields, runImport } from '#lib/files/import-outcome.ts';
import { byNumber, sheetRows, WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { type Locale, normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Brand, BrandInput, brands, newBrand } from './brand.ts';

/** Body of an import; names are validated as those of cards. Part 1, "Brands"; Contract 9.139. */
export const BrandWorkbook = z
  .object({ file: sheetRows({ columns: 1, rows: 500, kilobytes: 1024 }), ...importFields })
  .transform(({ file, ...rest }): { dry_run: boolean; rows: unknown } => ({
    ...rest,
    rows: byNumber(file, ['name']),
  }))
  .pipe(
    z.object({
      dry_run: z.boolean(),
      rows: z.record(z.string(), z.object({ name: textCell(BrandInput.shape.name) })),
    }),
  );

/**
 * Creates a brand for each name in column A below the header row, all or none. Blank rows and duplicates are
 * skipped. Existing names, in any letter case, are left unchanged, and restored if deleted. 422 on `file` for
 * an unreadable workbook or one with no row or over 500, on `rows.<number>.name` for an invalid name.
 */
export async function importBrands(
  actor: Staff,
  workbook: z.output<typeof BrandWorkbook>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
) {
  const { tenant } = actor;
  const names = distinctNames(Object.values(workbook.rows).map(({ name }) => name));
  const claims = names.map((text) => ({ path: 'name', scope: tenant, text }));
  return runImport(workbook, locale, async () => {
    const owners = await ownersOf(brands.type, claims);
    const missing = names.filter((_, index) => owners[index] === undefined);
    const [first, deleted] = await Promise.all([
      nextId(brands.type, tenant, missing.length),
      findDeleted(tenant, owners),
    ]);
    const writes = [
      ...missing.flatMap((name, index) =>
        insertion(brands, tenant, newBrand(actor, first + index, name, at)),
      ),
      ...deleted.flatMap((brand) =>
        replacement(brands, tenant, brand, { ...brand, is_deleted: false, updated_at: at }),
      ),
    ];
    return { writes, created: missing.length, changed: 0, restored: deleted.length };
  });
}

/** Creates a template workbook. */
export async function exampleBrands(locale: Locale) {
  const header = translateLabel(locale, { key: 'brand.import_header' });
  const content = await writeWorkbook('Brands', [header], [['Artel'], ['Samsung'], ['Nestlé']]);
  return { filename: 'brands.xlsx', type: WORKBOOK_TYPE, content };
}

/** Removes duplicate names, keeping the first of each. */
function distinctNames(names: readonly string[]): string[] {
  return [...new Map(names.toReversed().map((name) => [normalizeText(name), name])).values()].reverse();
}

/** Reads the deleted ones among the brands. */
async function findDeleted(tenant: Tenant, ids: readonly (number | undefined)[]) {
  const keys = ids.flatMap((id) => (id === undefined ? [] : [recordKey(brands.type, tenant, id)]));
  const known = (await getItems(keys)).map((item) => parseRecord(Brand, item));
  return known.filter((brand) => brand.is_deleted);
}
