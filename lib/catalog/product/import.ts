import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { brands } from '#lib/catalog/brand.ts';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { insertion } from '#lib/records/record-writes.ts';
import type { Write } from '#lib/table/change/write.ts';
import { mergeWrites, withoutRefusals } from '#lib/table/change/writes.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ownersOf } from '#lib/table/transaction/names.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Problems } from '#lib/values/problems.ts';
import { fold, LOCALES } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { newProduct } from './product.ts';
import type { ProductRow, ProductWorkbook } from './workbook.ts';

/** Problems of a localized name are told for each language: a row may give it in any. */
const IN_ANY_LANGUAGE = LOCALES.map((locale) => `name.${locale}`);

/** Fields that the columns don't give. */
const BLANK = {
  parent_id: null,
  is_free_price: false,
  is_favorite: false,
  is_bundle_only: false,
  min_price: null,
  min_price_percent: null,
  min_quantity: null,
};

const Live = z.object({ is_deleted: z.literal(false) });

type TextColumn = 'category' | 'brand' | 'unit' | 'barcode' | 'plu';

/** Ids by folded name. */
type Ids = ReadonlyMap<string, number>;

type Rows = z.output<typeof ProductWorkbook>['rows'];

/**
 * Makes a main card of each row, all or none. 422 on `rows.<number>.<column>` for a category, brand or unit
 * that the family doesn't have, and for a barcode or PLU that it has or that comes twice.
 */
export async function importProducts(
  actor: Staff,
  { rows }: z.output<typeof ProductWorkbook>,
  at: Instant,
): Promise<void> {
  // If something changes between the look and the write, all of it starts again with a new look.
  await retryOnContention(async () => transact(withoutRefusals(await importWrites(actor, rows, at))));
}

async function importWrites(actor: Staff, rows: Rows, at: Instant): Promise<Write[]> {
  const { home } = actor;
  const all = Object.values(rows);
  const [category, brand, unit, barcode, plu] = await Promise.all([
    live(home, categories.type, IN_ANY_LANGUAGE, textsOf(all, 'category')),
    live(home, brands.type, ['name'], textsOf(all, 'brand')),
    live(home, units.type, IN_ANY_LANGUAGE, textsOf(all, 'unit')),
    holders(home, products.type, ['barcode'], textsOf(all, 'barcode')),
    holders(home, products.type, ['plu'], textsOf(all, 'plu')),
  ]);
  const problems = new Problems();
  checkKnown(rows, 'category', category, problems);
  checkKnown(rows, 'brand', brand, problems);
  checkKnown(rows, 'unit', unit, problems);
  checkFree(rows, 'barcode', barcode, problems);
  checkFree(rows, 'plu', plu, problems);
  problems.throwIfAny();
  const first = await nextId(products.type, home, all.length);
  const made = all.map(({ category: ofCategory, brand: ofBrand, unit: ofUnit, ...card }, index) => {
    const pointers = {
      category_id: category.get(fold(ofCategory)) ?? 0,
      brand_id: brand.get(fold(ofBrand)) ?? 0,
      unit_id: unit.get(fold(ofUnit)) ?? 0,
    };
    return newProduct(actor, first + index, { ...BLANK, ...card, ...pointers }, at);
  });
  return mergeWrites(made.flatMap((product) => insertion(products, home, product)));
}

function textsOf(rows: readonly ProductRow[], column: TextColumn): string[] {
  return rows.flatMap((row) => row[column] ?? []);
}

/** Finds the records of a type that hold the names, by the folded name. */
async function holders(
  home: Home,
  type: string,
  paths: readonly string[],
  texts: readonly string[],
): Promise<Ids> {
  const distinct = [...new Set(texts.map(fold))];
  const claims = distinct.flatMap((text) => paths.map((path) => ({ path, scope: home, text })));
  const ids = await ownersOf(type, claims);
  return new Map(
    claims.flatMap(({ text }, index): [string, number][] => {
      const id = ids[index];
      return id === undefined ? [] : [[text, id]];
    }),
  );
}

/** Picks those that are not deleted. */
async function live(
  home: Home,
  type: string,
  paths: readonly string[],
  texts: readonly string[],
): Promise<Ids> {
  const found = [...(await holders(home, type, paths, texts))];
  const items = await getItems(found.map(([, id]) => recordKey(type, home, id)));
  return new Map(found.filter((_, index) => Live.safeParse(items[index]).success));
}

function checkKnown(rows: Rows, column: TextColumn, known: Ids, problems: Problems): void {
  for (const [number, row] of Object.entries(rows)) {
    if (!known.has(fold(row[column] ?? ''))) problems.add(`rows.${number}.${column}`, 'validation.not_found');
  }
}

function checkFree(rows: Rows, column: TextColumn, taken: Ids, problems: Problems): void {
  const seen = new Set<string>();
  for (const [number, row] of Object.entries(rows)) {
    const text = fold(row[column] ?? '');
    if (text === '') continue;
    const path = `rows.${number}.${column}`;
    if (seen.has(text)) problems.add(path, 'validation.duplicate');
    if (taken.has(text)) problems.add(path, 'validation.taken');
    seen.add(text);
  }
}
