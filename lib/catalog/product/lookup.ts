import * as z from 'zod';
import { brands } from '#lib/catalog/brand.ts';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { externalIdConstraint } from '#lib/records/external-id.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownersOf, type UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { barcodeToCompare } from '#lib/values/code.ts';
import { LOCALES, normalizeText } from '#lib/values/text.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Constraints of a localized name are per language, and a row may give it in any. */
const IN_ANY_LANGUAGE = LOCALES.map((locale) => `name.${locale}`);

const Live = z.object({ is_deleted: z.literal(false) });

/** Column whose text identifies a record. */
export type TextColumn = 'category' | 'brand' | 'unit' | 'barcode' | 'plu' | 'external_id';

/** Texts of a row, by column; `barcodes` are its further ones. */
type Texts = Readonly<Partial<Record<TextColumn, string | null | undefined>>> & {
  readonly barcodes?: readonly { readonly barcode: string }[] | undefined;
};

/** Rows by their numbers in the sheet. */
type Rows = Readonly<Record<string, Texts>>;

/** Ids by the text that identifies them, as compared; a name of one language may be another's of a second. */
type Ids = ReadonlyMap<string, readonly number[]>;

/** Records referenced by a workbook: ids by column and text. */
export type Lookup = Readonly<Record<TextColumn, Ids>>;

/** Looks up all references of rows: existing categories, brands and units, and holders of unique values. */
export async function lookUp(tenant: Tenant, rows: Rows): Promise<Lookup> {
  const all = Object.values(rows);
  const [category, brand, unit, barcode, plu, external_id] = await Promise.all([
    live(tenant, categories.type, IN_ANY_LANGUAGE, textsOf(all, 'category')),
    live(tenant, brands.type, ['name'], textsOf(all, 'brand')),
    live(tenant, units.type, IN_ANY_LANGUAGE, textsOf(all, 'unit')),
    holders(tenant, products.type, ['barcode'], all.flatMap(codesOf).map(barcodeToCompare)),
    holders(tenant, products.type, ['plu'], textsOf(all, 'plu')),
    holdersOfExternalIds(tenant, textsOf(all, 'external_id')),
  ]);
  return { category, brand, unit, barcode, plu, external_id };
}

/** Returns the id for a text of a column, the `present` one if that fits; undefined if unknown. */
export function idByText(
  lookup: Lookup,
  column: TextColumn,
  text: string | null | undefined,
  present?: number | null,
) {
  if (text === null || text === undefined) return undefined;
  const ids = lookup[column].get(textToCompare(column, text)) ?? [];
  return ids.find((id) => id === present) ?? ids[0];
}

/** Rows being validated. */
interface Validation {
  readonly rows: Rows;
  readonly lookup: Lookup;
  readonly issues: ValidationIssues;
}

/** Requires that the texts of a column are known. 422 on its cells otherwise. */
export function checkResolved({ rows, lookup, issues }: Validation, column: TextColumn): void {
  for (const [number, { [column]: text }] of Object.entries(rows)) {
    if (text !== undefined && idByText(lookup, column, text) === undefined)
      issues.add(`rows.${number}.${column}`, 'validation.not_found');
  }
}

/**
 * Requires that the texts of a column are unique in the sheet and held by no product; in an update, by none
 * but that of the row's barcode. 422 on its cells otherwise.
 */
export function checkUnique(
  { rows, lookup, issues }: Validation,
  column: TextColumn,
  mode: 'create' | 'update' = 'create',
): void {
  const seen = new Set<string>();
  for (const [number, row] of Object.entries(rows)) {
    const text = textToCompare(column, row[column] ?? '');
    if (text === '') continue;
    const path = `rows.${number}.${column}`;
    const [holder] = lookup[column].get(text) ?? [];
    const own = mode === 'update' ? idByText(lookup, 'barcode', row.barcode) : undefined;
    if (seen.has(text)) issues.add(path, 'validation.duplicate');
    if (holder !== undefined && holder !== own) issues.add(path, 'validation.taken');
    seen.add(text);
  }
}

/** Row with its present card, if it has one. */
interface Coded {
  readonly number: string;
  readonly row: Texts;
  readonly before?: { readonly id: number; readonly barcode: string } | undefined;
}

/**
 * Requires that the barcodes of rows, further ones included, are unique in the sheet and held by no other
 * product. 422 on the cells otherwise; of further ones at `barcodes.<line>.barcode`.
 */
export function checkBarcodes(rows: readonly Coded[], lookup: Lookup, issues: ValidationIssues): void {
  const seen = new Set<string>();
  for (const { number, row, before } of rows) {
    const codes = codesOf(before ? { ...row, barcode: before.barcode } : row);
    for (const [index, code] of codes.entries()) {
      const path = index === 0 ? 'barcode' : `barcodes.${index - 1}.barcode`;
      const text = textToCompare('barcode', code);
      const others = lookup.barcode.get(text)?.filter((id) => id !== before?.id) ?? [];
      if (seen.has(text)) issues.add(`rows.${number}.${path}`, 'validation.duplicate');
      if (others.length > 0) issues.add(`rows.${number}.${path}`, 'validation.taken');
      seen.add(text);
    }
  }
}

function codesOf({ barcode, barcodes = [] }: Texts): string[] {
  return [barcode ?? '', ...barcodes.map((each) => each.barcode)];
}

/** Normalizes a text for comparison in its column: external ids are exact, barcodes have all zeros. */
function textToCompare(column: TextColumn, text: string): string {
  if (column === 'external_id') return text;
  return normalizeText(column === 'barcode' ? barcodeToCompare(text) : text);
}

function textsOf(rows: readonly Texts[], column: TextColumn): string[] {
  return rows.flatMap((row) => row[column] ?? []);
}

/** Finds the records of a type that hold the names, by search text. */
function holders(
  tenant: Tenant,
  type: string,
  paths: readonly string[],
  texts: readonly string[],
): Promise<Ids> {
  const distinct = [...new Set(texts.map(normalizeText))];
  return owners(
    type,
    distinct.flatMap((text) => paths.map((path) => ({ text, claim: { path, scope: tenant, text } }))),
  );
}

function holdersOfExternalIds(tenant: Tenant, texts: readonly string[]): Promise<Ids> {
  const distinct = [...new Set(texts)];
  return owners(
    products.type,
    distinct.map((text) => ({ text, claim: externalIdConstraint(text, tenant) })),
  );
}

async function owners(
  type: string,
  claims: readonly { readonly text: string; readonly claim: UniqueConstraint }[],
): Promise<Ids> {
  const ids = await ownersOf(
    type,
    claims.map(({ claim }) => claim),
  );
  const found = new Map<string, number[]>();
  for (const [index, { text }] of claims.entries()) {
    const id = ids[index];
    if (id !== undefined) found.set(text, [...new Set(found.get(text)).add(id)]);
  }
  return found;
}

/** Returns the records that are not deleted. */
async function live(
  tenant: Tenant,
  type: string,
  paths: readonly string[],
  texts: readonly string[],
): Promise<Ids> {
  const found = await holders(tenant, type, paths, texts);
  const ids = [...new Set([...found.values()].flat())];
  const items = await getItems(ids.map((id) => recordKey(type, tenant, id)));
  const isLive = new Set(ids.filter((_, index) => Live.safeParse(items[index]).success));
  return new Map([...found].map(([text, each]) => [text, each.filter((id) => isLive.has(id))]));
}
