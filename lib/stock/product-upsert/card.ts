import { ProductCard } from '#lib/catalog/card.ts';
import { ProductInput } from '#lib/catalog/product/product.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type SyncRow, validateLikeBody } from './row.ts';
import type { RowLookup } from './row-lookup.ts';

/** Form fields of a card, in their published form. */
const CardForm = ProductCard.pick({
  name: true,
  barcode: true,
  barcodes: true,
  article: true,
  plu: true,
  description: true,
  category_id: true,
  brand_id: true,
  unit_id: true,
  parent_id: true,
  sale_price: true,
  sale_currency: true,
  is_free_price: true,
  is_favorite: true,
  is_bundle_only: true,
  min_price: true,
  min_price_percent: true,
  prices: true,
  min_quantity: true,
  mxik: true,
  package_code: true,
  is_marked: true,
  vat_percent: true,
});

/**
 * Builds the card of a row; fields that the row omits keep the existing product's values. Images are not
 * accepted. 422 with all failing fields; `issues` may hold earlier ones of the row.
 */
export function readCard(row: SyncRow, { before, named }: RowLookup, issues = new ValidationIssues()) {
  const existing = before ? CardForm.parse(before) : {};
  const pointers: Record<string, unknown> = {};
  for (const { name, field, id } of named) {
    if (row[field] !== undefined) issues.add(name, 'product.id_and_name');
    else if (id === undefined) issues.add(name, 'validation.not_found');
    // A placeholder: the row is rejected for its name.
    pointers[field] = id === undefined ? 1 : id;
  }
  const { images: _, images_old_keys: __, ...given } = row;
  const form = validateLikeBody(ProductInput, { ...existing, ...given, ...pointers }, issues);
  issues.throwIfAny();
  const { images: ___, images_old_keys: ____, ...card } = ProductInput.parse(form);
  return { ...card, external_id: row.external_id };
}
