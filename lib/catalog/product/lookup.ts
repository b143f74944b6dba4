import { brands } from '#lib/catalog/brand.ts';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { externalIdConstraint } from '#lib/records/external-id.ts';
import { isPresent } from '#lib/records/stored.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownersOf, type UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { barcodeToCompare } from '#lib/values/code.ts';
import { LOCALES, normalizeText } from '#lib/values/text.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Constraints of a localized name are per language, and a row may give it in any. */
const IN_ANY_LANGUAGE = LOCALES.map((locale) => `name.${locale}`);

/** Columns that name the records to which a card refers. */
const NAME_COLUMNS = ['category', 'brand', 'unit'] as const;

type NameColumn = (typeof NAME_COLUMNS)[number];

/** Column of a product's own unique texts. */
type UniqueColumn = 'barcode' | 'plu' | 'external_id';

/** Column whose text identifies a record. */
type TextColumn = NameColumn | UniqueColumn;

/** Texts of a row, by column; `barcodes` are its further ones. */
type Texts = Readonly<Partial<Record<TextColumn, string | null | undefined>>> & {
  readonly barcodes?: readonly { readonly barcode: string }[] | undefined;
};

/** Rows by their numbers in the sheet. */
type Rows = Readonly<Record<string, Texts>>;

/** Ids by the text that identifies them, as compared; a name of one language may be another's of a second. */
type Ids = ReadonlyMap<string, readonly number[]>;

/** Records that have the names of a column. */
interface NamedRecords {
  /** Holders of the names, deleted or not. */
  readonly ids: Ids;
  readonly live: ReadonlySet<number>;
}

/** Records referenced by a workbook, by column and text. */
export type Lookup = Readonly<Record<NameColumn, NamedRecords> & Record<UniqueColumn, Ids>>;

/** Looks up all references of rows: categories, brands and units, and holders of unique values. */
export async function lookUp(tenant: Tenant, rows: Rows): Promise<Lookup> {
  const all = Object.values(rows);
  const [category, brand, unit, barcode, plu, external_id] = await Promise.all([
    holdersOfNames(tenant, categories.type, IN_ANY_LANGUAGE, textsOf(all, 'category')),
    holdersOfNames(tenant, brands.type, ['name'], textsOf(all, 'brand')),
    holdersOfNames(tenant, units.type, IN_ANY_LANGUAGE, textsOf(all, 'unit')),
    holders(tenant, products.type, ['barcode'], all.flatMap(codesOf).map(barcodeToCompare)),
    holders(tenant, products.type, ['plu'], textsOf(all, 'plu')),
    holdersOfExternalIds(tenant, textsOf(all, 'external_id')),
  ]);
  return { category, brand, unit, barcode, plu, external_id };
}

/**
 * Returns the id for a name in a column: the card's `present` record if that has it, deleted or not, else one
 * that is not deleted; undefined if unknown. Part 5, 5B.9, 2.
 */
export function idByName(
  lookup: Lookup,
  column: NameColumn,
  name: string | null | undefined,
  present?: number | null,
): number | undefined {
  if (name === null || name === undefined) return undefined;
  const { ids, live } = lookup[column];
  const holding = ids.get(textToCompare(column, name)) ?? [];
  return holding.find((id) => id === present) ?? holding.find((id) => live.has(id));
}

/** Returns the id of the product with a barcode, deleted or not; undefined if unknown. */
export function idByBarcode({ barcode }: Lookup, text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  return barcode.get(textToCompare('barcode', text))?.[0];
}

/** Rows being validated. */
interface Validation {
  readonly rows: Rows;
  readonly lookup: Lookup;
  readonly issues: ValidationIssues;
}

/**
 * Requires that the texts of a column are unique in the sheet and held by no product; in an update, by none
 * but that of the row's barcode. 422 on its cells otherwise.
 */
export function checkUnique(
  { rows, lookup, issues }: Validation,
  column: UniqueColumn,
  mode: 'create' | 'update' = 'create',
): void {
  const seen = new Set<string>();
  for (const [number, row] of Object.entries(rows)) {
    const text = textToCompare(column, row[column] ?? '');
    if (text === '') continue;
    const path = `rows.${number}.${column}`;
    const [holder] = lookup[column].get(text) ?? [];
    const own = mode === 'update' ? idByBarcode(lookup, row.barcode) : undefined;
    if (seen.has(text)) issues.add(path, 'validation.duplicate');
    if (holder !== undefined && holder !== own) issues.add(path, 'validation.taken');
    seen.add(text);
  }
}

/** Row with its present card, if it has one. */
interface RowOfCard<C> {
  readonly number: string;
  readonly row: Texts;
  readonly before?: C | undefined;
}

/** References of a card. */
type Pointers = Readonly<Record<`${NameColumn}_id`, number | null>>;

/** Requires that the categories, brands and units of rows are known. 422 on the cells otherwise. */
export function checkNamesKnown(
  rows: readonly RowOfCard<Pointers>[],
  lookup: Lookup,
  issues: ValidationIssues,
): void {
  for (const column of NAME_COLUMNS) {
    for (const { number, row, before } of rows) {
      const name = row[column];
      if (name !== undefined && idByName(lookup, column, name, before?.[`${column}_id`]) === undefined)
        issues.add(`rows.${number}.${column}`, 'validation.not_found');
    }
  }
}

/** Codes of a card. */
interface Coded {
  readonly id: number;
  readonly barcode: string;
}

/**
 * Requires that the barcodes of rows, further ones included, are unique in the sheet and held by no other
 * product. 422 on the cells otherwise; of further ones at `barcodes.<line>.barcode`.
 */
export function checkBarcodes(
  rows: readonly RowOfCard<Coded>[],
  lookup: Lookup,
  issues: ValidationIssues,
): void {
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

/** Finds the records of a type that have the names, and which of them are not deleted. */
async function holdersOfNames(
  tenant: Tenant,
  type: string,
  paths: readonly string[],
  texts: readonly string[],
): Promise<NamedRecords> {
  const ids = await holders(tenant, type, paths, texts);
  const distinct = [...new Set([...ids.values()].flat())];
  const items = await getItems(distinct.map((id) => recordKey(type, tenant, id)));
  return { ids, live: new Set(distinct.filter((_, index) => isPresent(items[index]))) };
}
