import { isDeepStrictEqual } from 'node:util';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { Product, products } from '#lib/catalog/card.ts';
import { recordPriceCause } from '#lib/catalog/price.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { mergeWrites, withoutErrors } from '#lib/table/change/writes.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { forbidden } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { FloorCheck } from './floors.ts';
import { checkResolved, checkUnique, idByText, type Lookup, lookUp } from './lookup.ts';
import { newProduct } from './product.ts';
import { cardOfRow } from './row-card.ts';
import type { ProductRow, UpdateRow } from './workbook.ts';

type Rows = Readonly<Record<string, UpdateRow>>;

type Card = Stored<typeof Product>;

/** A row with the card that there is of its barcode. */
interface Entry {
  readonly number: string;
  readonly row: UpdateRow;
  readonly before: Card | undefined;
}

/**
 * Builds the writes that bring the products of a workbook's barcodes to what its cells say, and counts their
 * rows: an empty cell keeps what there is, a deleted product is restored (and counts as that alone), an
 * unknown barcode makes a card. 422 as for an import,
 * and on an empty cell that a new card needs; 403 without the rights to do the same by the card. Part 4, 4.3.
 */
export async function planUpdate(
  actor: Staff,
  rows: Rows,
  { at, checkFloors }: { readonly at: Instant; readonly checkFloors: FloorCheck },
) {
  if (!hasRight(actor, 'company.product.product.update')) throw forbidden();
  const { tenant } = actor;
  const lookup = await lookUp(tenant, rows);
  const held = await cardsOf(actor, lookup);
  const isRestoring = [...held.values()].some((card) => card.is_deleted);
  if (isRestoring && !hasRight(actor, 'company.product.product.restore')) throw forbidden();
  const issues = new ValidationIssues();
  const judged = { rows, lookup, issues };
  for (const column of ['category', 'brand', 'unit'] as const) checkResolved(judged, column);
  for (const column of ['barcode', 'plu', 'external_id'] as const) checkUnique(judged, column, 'update');
  const entries = Object.entries(rows).map(([number, row]) => {
    return { number, row, before: held.get(idByText(lookup, 'barcode', row.barcode) ?? 0) };
  });
  const changes = changesOf(entries, lookup);
  await checkFloors(actor, changes, issues);
  const fresh = entries.flatMap((entry) => (entry.before ? [] : (wholeRow(entry, issues) ?? [])));
  issues.throwIfAny();
  const occasion = { cause: 'import', at } as const;
  const first = fresh.length > 0 ? await nextId(products.type, tenant, fresh.length) : 0;
  const made = fresh.map((row, index) => newProduct(actor, first + index, cardOfRow(row, lookup), occasion));
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

/** Computes the cards that differ from what their rows say. */
function changesOf(entries: readonly Entry[], lookup: Lookup) {
  return entries.flatMap(({ number, row, before }) => {
    if (!before) return [];
    const after = cardAfter(before, row, lookup);
    return isDeepStrictEqual(before, after) ? [] : [{ before, after, prefix: `rows.${number}.` }];
  });
}

/** Reads the cards of the barcodes, deleted ones too, by their ids. */
async function cardsOf({ tenant }: Staff, { barcode }: Lookup): Promise<ReadonlyMap<number, Card>> {
  const items = await getItems([...barcode.values()].map((id) => recordKey(products.type, tenant, id)));
  return new Map(
    items.flatMap((item): [number, Card][] => {
      const card = item && parseRecord(Product, item);
      return card ? [[card.id, card]] : [];
    }),
  );
}

/** Gives the card as it is to be: a cell that is empty keeps what there is. */
function cardAfter(before: Card, row: UpdateRow, lookup: Lookup): Card {
  return {
    ...before,
    name: row.name ?? before.name,
    plu: row.plu ?? before.plu,
    description: row.description ?? before.description,
    sale_price: row.sale_price ?? before.sale_price,
    sale_currency: row.sale_currency ?? before.sale_currency,
    category_id: idByText(lookup, 'category', row.category) ?? before.category_id,
    brand_id: idByText(lookup, 'brand', row.brand) ?? before.brand_id,
    unit_id: idByText(lookup, 'unit', row.unit) ?? before.unit_id,
    ...(row.external_id !== undefined && { external_id: row.external_id }),
    mxik: row.mxik ?? before.mxik,
    package_code: row.package_code ?? before.package_code,
    is_marked: row.is_marked ?? before.is_marked,
    is_deleted: false,
  };
}

/** Gives a row that makes a card. Undefined if a cell that a card needs is empty: that is a problem. */
function wholeRow({ number, row }: Entry, issues: ValidationIssues): ProductRow | undefined {
  const needed = ['name', 'category', 'brand', 'unit', 'sale_price', 'sale_currency'] as const;
  for (const column of needed) {
    if (row[column] === undefined) issues.add(`rows.${number}.${column}`, 'validation.required');
  }
  const { name, category, brand, unit, sale_price, sale_currency } = row;
  if (name === undefined || category === undefined || brand === undefined || unit === undefined)
    return undefined;
  if (sale_price === undefined || sale_currency === undefined) return undefined;
  const { plu = null, description = null, external_id = null } = row;
  const known = { name, category, brand, unit, sale_price, sale_currency };
  const { mxik, package_code } = row;
  return { ...row, ...known, plu, description, external_id, mxik, package_code };
}

/**
 * Merges what rows count of what they point at. Some count up and some down, and a count of all of them needs
 * no bound: the cards that hold the references are guarded by their versions.
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
