import { idByText, type Lookup } from './lookup.ts';
import type { ProductRow } from './workbook.ts';

/** Fields without a column. */
const BLANK = {
  parent_id: null,
  is_free_price: false,
  is_favorite: false,
  is_bundle_only: false,
  min_price: null,
  min_price_percent: null,
  min_quantity: null,
};

/** Builds the fields of a new main card from a row with a known category, brand and unit. */
export function cardOfRow({ category, brand, unit, ...card }: ProductRow, lookup: Lookup) {
  const pointers = {
    category_id: idByText(lookup, 'category', category) ?? 0,
    brand_id: idByText(lookup, 'brand', brand) ?? 0,
    unit_id: idByText(lookup, 'unit', unit) ?? 0,
  };
  return { ...BLANK, ...card, ...pointers };
}
