import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import type { Row } from '#lib/files/workbook/read.ts';
import { sheetRows, WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { withoutRefusals } from '#lib/table/change/writes.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ownersOf } from '#lib/table/transaction/names.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { label } from '#lib/values/labels/label.ts';
import { Problems } from '#lib/values/problems.ts';
import { fold, type Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Brand, brands, newBrand } from './brand.ts';

const LONGEST_NAME = 255;

/** The body of an import. Part 1, "Brands". */
export const BrandWorkbook = z.object({ file: sheetRows({ columns: 1, rows: 500, kilobytes: 1024 }) });

/**
 * Makes a brand of each name in column A, without the header row, all or none. Blank rows and names that come
 * twice are left out. Names that the family has, in any letter case, are left alone, and restored if deleted.
 * 422 on `file` for a workbook that can't be read or has over 500 rows, on `rows.<number>` for names over 255
 * characters.
 */
export async function importBrands(
  actor: Staff,
  { file }: z.output<typeof BrandWorkbook>,
  at: Instant,
): Promise<void> {
  const names = namesOf(file);
  if (names.length === 0) return;
  // If a name is taken between the look and the write, all of it starts again with a new look.
  await retryOnContention(async () => transact(withoutRefusals(await importWrites(actor, names, at))));
}

/** Makes a workbook to fill in. */
export async function exampleBrands(locale: Locale) {
  const header = label(locale, { key: 'brand.import_header' });
  const content = await writeWorkbook('Brands', [header], [['Artel'], ['Samsung'], ['Nestlé']]);
  return { filename: 'brands.xlsx', type: WORKBOOK_TYPE, content };
}

function namesOf(rows: readonly Row[]): string[] {
  const named = rows.map(({ number, cells: [text = ''] }) => ({ number, text }));
  const problems = new Problems();
  for (const { number, text } of named) {
    if (text.length > LONGEST_NAME)
      problems.add(`rows.${number}`, { key: 'validation.too_long', with: { max: LONGEST_NAME } });
  }
  problems.throwIfAny();
  return [...new Map(named.toReversed().map(({ text }) => [fold(text), text])).values()].reverse();
}

async function importWrites(actor: Staff, names: readonly string[], at: Instant): Promise<Write[]> {
  const { home } = actor;
  const claims = names.map((text) => ({ path: 'name', scope: home, text }));
  const owners = await ownersOf(brands.type, claims);
  const missing = names.filter((_, index) => owners[index] === undefined);
  const [first, known] = await Promise.all([
    nextId(brands.type, home, missing.length),
    getItems(owners.flatMap((id) => (id === undefined ? [] : [recordKey(brands.type, home, id)]))),
  ]);
  const deleted = known.map((item) => vouchRecord(Brand, item)).filter((brand) => brand.is_deleted);
  return [
    ...missing.flatMap((name, index) => insertion(brands, home, newBrand(actor, first + index, name, at))),
    ...deleted.flatMap((brand) =>
      replacement(brands, home, brand, { ...brand, is_deleted: false, updated_at: at }),
    ),
  ];
}
