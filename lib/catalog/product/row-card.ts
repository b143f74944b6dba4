import type { BoundedChange } from './floors.ts';
import { idByName, type Lookup } from './lookup.ts';
import { packsAfter } from './pack-cells.ts';
import { pricesAfter, type SheetTypes } from './price-cells.ts';
import type { ProductRow } from './workbook.ts';

/** Fields without a column. */
const BLANK = {
  parent_id: null,
  is_free_price: false,
  is_favorite: false,
  is_bundle_only: false,
  min_price_percent: null,
};

/** Builds the fields of a new main card from a row with a known category, brand and unit. */
export function cardOfRow(
  { category, brand, unit, prices, ...card }: ProductRow,
  lookup: Lookup,
  sheet: SheetTypes,
) {
  const pointers = {
    category_id: idByName(lookup, 'category', category) ?? 0,
    brand_id: idByName(lookup, 'brand', brand) ?? 0,
    unit_id: idByName(lookup, 'unit', unit) ?? 0,
  };
  const lists = { barcodes: packsAfter([], card.barcodes ?? []), prices: pricesAfter([], prices, sheet) };
  return { ...BLANK, ...card, ...pointers, ...lists };
}

/** A new row, by its number in the sheet. */
export interface NewRow {
  readonly number: string;
  readonly row: ProductRow;
}

/** Returns the change of a row that makes a card, for the check of its prices. */
export function changeOfNewRow({ number, row }: NewRow, sheet: SheetTypes): BoundedChange {
  const prices = pricesAfter([], row.prices, sheet);
  const after = { ...row, id: 0, min_price_percent: null, prices };
  return { before: undefined, after, prefix: `rows.${number}.` };
}
