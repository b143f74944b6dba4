import { requireRight, type Staff } from '#lib/auth/actor.ts';
import { Product, products } from '#lib/catalog/card.ts';
import { recordPriceCause } from '#lib/catalog/price.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { parseRecord, type Stored, showSame } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { mergeWrites, withoutErrors } from '#lib/table/change/writes.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { FloorCheck } from './floors.ts';
import { linesInCell } from './lines.ts';
import {
  checkBarcodes,
  checkNamesKnown,
  checkUnique,
  idByBarcode,
  idByName,
  type Lookup,
  lookUp,
} from './lookup.ts';
import { packsAfter } from './pack-cells.ts';
import { checkPriceCells, pricesAfter, readSheetTypes, type SheetTypes } from './price-cells.ts';
import { newProduct } from './product.ts';
import { cardOfRow, changeOfNewRow, type NewRow } from './row-card.ts';
import type { UpdateRow } from './workbook.ts';

type Rows = Readonly<Record<string, UpdateRow>>;

type Card = Stored<typeof Product>;

const UPDATE = 'company.product.product.update';
const RESTORE = 'company.product.product.restore';

/** Row with the existing card of its barcode. */
interface Entry {
  readonly number: string;
  readonly row: UpdateRow;
  readonly before: Card | undefined;
}

/**
 * Builds the writes that update products by barcode from a workbook's cells, and counts the rows: an empty
 * cell leaves its field unchanged, a deleted product is restored (and counted as restored only), an unknown
 * barcode creates a card. 422 as in an import, and on an empty cell required by a new card; 403 without the
 * rights for the same changes to a card. Part 4, 4.3.
 */
export async function planUpdate(
  actor: Staff,
  { rows, headings }: { readonly rows: Rows; readonly headings: readonly string[] },
  { at, checkFloors }: { readonly at: Instant; readonly checkFloors: FloorCheck },
) {
  requireRight(actor, UPDATE);
  const { tenant } = actor;
  const [lookup, sheet] = await Promise.all([lookUp(tenant, rows), readSheetTypes(tenant, headings)]);
  const existing = await cardsOf(actor, lookup);
  const isRestoring = [...existing.values()].some((card) => card.is_deleted);
  if (isRestoring) requireRight(actor, RESTORE);
  const issues = new ValidationIssues();
  const entries = Object.entries(rows).map(([number, row]) => {
    return { number, row, before: existing.get(idByBarcode(lookup, row.barcode) ?? 0) };
  });
  checkNamesKnown(entries, lookup, issues);
  for (const column of ['plu', 'external_id'] as const)
    checkUnique({ rows, lookup, issues }, column, 'update');
  checkBarcodes(entries, lookup, issues);
  checkPriceCells(rows, sheet, issues);
  const changes = changesOf(entries, lookup, sheet);
  const fresh = entries.flatMap((entry) => (entry.before ? [] : (wholeRow(entry, issues) ?? [])));
  const added = fresh.map((entry) => changeOfNewRow(entry, sheet));
  await checkFloors(actor, [...changes, ...added], issues);
  issues.throwIfAny();
  const occasion = { cause: 'import', at } as const;
  const first = fresh.length > 0 ? await nextId(products.type, tenant, fresh.length) : 0;
  const made = fresh.map(({ row }, index) =>
    newProduct(actor, first + index, cardOfRow(row, lookup, sheet), occasion),
  );
  const written = changes.map(({ before, after }) => ({
    before,
    after: recordPriceCause(before, { ...after, updated_at: at }, { ...occasion, by: actor }),
  }));
  const writes = [
    ...mergeCounts([
      ...made.flatMap((product) => insertion(products, tenant, product)),
      ...written.flatMap(({ before, after }) => replacement(products, tenant, before, after)),
    ]),
    ...(await singleRepricing(actor, actor.companyId, written, at)),
  ];
  const restored = changes.filter(({ before }) => before.is_deleted).length;
  return { writes, created: made.length, changed: changes.length - restored, restored };
}

/** Computes the cards that differ from their rows. */
function changesOf(entries: readonly Entry[], lookup: Lookup, sheet: SheetTypes) {
  return entries.flatMap(({ number, row, before }) => {
    if (!before) return [];
    const prices = pricesAfter(before.prices ?? [], row.prices, sheet);
    const after = { ...cardAfter(before, row, lookup), prices };
    return showSame(Product, before, after) ? [] : [{ before, after, prefix: `rows.${number}.` }];
  });
}

/** Reads the cards of the barcodes, including deleted ones, by id. */
async function cardsOf({ tenant }: Staff, { barcode }: Lookup): Promise<ReadonlyMap<number, Card>> {
  const items = await getItems(
    [...new Set([...barcode.values()].flat())].map((id) => recordKey(products.type, tenant, id)),
  );
  return new Map(
    items.flatMap((item): [number, Card][] => {
      const card = item && parseRecord(Product, item);
      return card ? [[card.id, card]] : [];
    }),
  );
}

/** Computes the updated card; an empty cell leaves its field unchanged. */
function cardAfter(before: Card, row: UpdateRow, lookup: Lookup): Card {
  return {
    ...before,
    name: row.name ?? before.name,
    plu: row.plu ?? before.plu,
    description: descriptionAfter(before, row),
    sale_price: row.sale_price ?? before.sale_price,
    sale_currency: row.sale_currency ?? before.sale_currency,
    category_id: idByName(lookup, 'category', row.category, before.category_id) ?? before.category_id,
    brand_id: idByName(lookup, 'brand', row.brand, before.brand_id) ?? before.brand_id,
    unit_id: idByName(lookup, 'unit', row.unit, before.unit_id) ?? before.unit_id,
    ...(row.external_id !== undefined && { external_id: row.external_id }),
    ...furtherFieldsAfter(before, row),
    is_deleted: false,
  };
}

/** Computes the fields of the optional columns. */
function furtherFieldsAfter(before: Card, row: UpdateRow) {
  return {
    mxik: row.mxik ?? before.mxik,
    package_code: row.package_code ?? before.package_code,
    is_marked: row.is_marked ?? before.is_marked,
    barcodes: row.barcodes ? packsAfter(before.barcodes ?? [], row.barcodes) : before.barcodes,
    article: row.article ?? before.article,
    vat_percent: row.vat_percent ?? before.vat_percent,
    min_price: row.min_price ?? before.min_price,
    min_quantity: row.min_quantity ?? before.min_quantity,
  };
}

/** Returns the description; a cell that differs from it in line ends alone changes nothing. */
function descriptionAfter({ description }: Card, row: UpdateRow): string | null {
  const cell = row.description ?? description;
  return linesInCell(cell) === linesInCell(description) ? description : cell;
}

/** Returns a row that creates a card. Undefined, with an issue, if a required cell is empty. */
function wholeRow({ number, row }: Entry, issues: ValidationIssues): NewRow | undefined {
  const needed = ['name', 'category', 'brand', 'unit', 'sale_price', 'sale_currency'] as const;
  for (const column of needed) {
    if (row[column] === undefined) issues.add(`rows.${number}.${column}`, 'validation.required');
  }
  const { name, category, brand, unit, sale_price, sale_currency } = row;
  if (name === undefined || category === undefined || brand === undefined || unit === undefined)
    return undefined;
  if (sale_price === undefined || sale_currency === undefined) return undefined;
  const { plu = null, description = null, external_id = null, min_price = null, min_quantity = null } = row;
  const { mxik, package_code, article } = row;
  const known = { name, category, brand, unit, sale_price, sale_currency, mxik, package_code, article };
  return { number, row: { ...row, ...known, plu, description, external_id, min_price, min_quantity } };
}

/**
 * Merges the rows' changes of reference counts. They mix increments and decrements, so no lower bound is
 * needed: the cards with the references are protected by their versions.
 */
function mergeCounts(writes: readonly Write[]): Write[] {
  return mergeWrites(
    withoutErrors(writes).map((write) => {
      if (write.change.kind !== 'update') return write;
      const { guard: _, ...unguarded } = write;
      return unguarded;
    }),
  );
}
