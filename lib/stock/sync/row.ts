import * as z from 'zod';
import { ProductCard } from '#lib/catalog/card.ts';
import { ProductInput } from '#lib/catalog/product/product.ts';
import { RequiredExternalId } from '#lib/records/external-id.ts';
import { fromJson } from '#lib/values/by-schema.ts';
import { distinct, lineOfText } from '#lib/values/fields.ts';
import { addIssues } from '#lib/values/issues.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Look } from './look.ts';

/** Rows of one call: as many as are written in its time, as a rule. */
const MOST_ROWS = 100;

/**
 * The body of a synchronization. A row without an external id, or with another's, is nobody's: such a call is
 * refused as a whole. All else of a row is judged with the product that it is about. Part 4, 4.3.
 */
export const ProductSyncInput = z.object({
  products: distinct(
    'external_id',
    z
      .array(z.looseObject({ external_id: RequiredExternalId }))
      .min(1)
      .max(MOST_ROWS),
  ),
});

export type SyncRow = z.output<typeof ProductSyncInput>['products'][number];

const Name = lineOfText(255)
  .nullish()
  .transform((name) => (name === '' ? null : name));

/** A part of a row: which records are meant, and whether there is to be a product at all. */
export const Meant = z.object({
  is_deleted: z.boolean().default(false),
  category_external_id: Name,
  brand_name: Name,
  unit_external_id: Name,
  parent_external_id: Name,
});

export type Meant = z.output<typeof Meant>;

/** Which field of a card a name stands for. */
export const STANDS_FOR = {
  category_external_id: 'category_id',
  brand_name: 'brand_id',
  unit_external_id: 'unit_id',
  parent_external_id: 'parent_id',
} as const;

/** A part of a card: what forms give, as callers see it. */
const CardForm = ProductCard.pick({
  name: true,
  barcode: true,
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
  min_quantity: true,
});

/** Reads what a row means. 422 with what is wrong. */
export function readMeant(row: SyncRow): Meant {
  const problems = new Problems();
  const read = judge(Meant, row, problems);
  problems.throwIfAny();
  return Meant.parse(read);
}

/**
 * Makes the card that a row wants: what it leaves out is as on the product that there is. Images are not
 * taken. 422 with all failing fields, by their names.
 */
export function readCard(row: SyncRow, { before, named }: Look) {
  const problems = new Problems();
  const held = before ? CardForm.parse(before) : {};
  const pointers: Record<string, unknown> = {};
  for (const { name, field, id } of named) {
    if (row[field] !== undefined) problems.add(name, 'product.id_and_name');
    else if (id === undefined) problems.add(name, 'validation.not_found');
    // What stands here is not judged: the row is refused for its name.
    pointers[field] = id === undefined ? 1 : id;
  }
  const { images: _, images_old_keys: __, ...given } = row;
  const form = judge(ProductInput, { ...held, ...given, ...pointers }, problems);
  problems.throwIfAny();
  const { images: ___, images_old_keys: ____, ...card } = ProductInput.parse(form);
  return { ...card, external_id: row.external_id };
}

/** Judges a value as a body is judged, and gives it as it was read. */
function judge(schema: z.ZodType, value: object, problems: Problems): unknown {
  const read = fromJson(schema, { parsed: value, text: '{}' });
  const { error } = schema.safeParse(read, { reportInput: true });
  if (error) addIssues(problems, schema, error.issues);
  return read;
}
