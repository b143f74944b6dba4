import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkMinimum } from './floors.ts';
import { idByText, type Lookup } from './lookup.ts';
import { packsAfter } from './pack-cells.ts';
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
export function cardOfRow({ category, brand, unit, ...card }: ProductRow, lookup: Lookup) {
  const pointers = {
    category_id: idByText(lookup, 'category', category) ?? 0,
    brand_id: idByText(lookup, 'brand', brand) ?? 0,
    unit_id: idByText(lookup, 'unit', unit) ?? 0,
  };
  return { ...BLANK, ...card, ...pointers, barcodes: packsAfter([], card.barcodes ?? []) };
}

/** A new row, by its number in the sheet. */
interface NewRow {
  readonly number: string;
  readonly row: ProductRow;
}

/** Validates that a row of a new card is not priced below its own minimum. 422 on its cell otherwise. */
export function checkRowMinimum({ number, row }: NewRow, issues: ValidationIssues): void {
  const after = { ...row, id: 0, min_price_percent: null };
  checkMinimum({ before: undefined, after, prefix: `rows.${number}.` }, issues);
}
