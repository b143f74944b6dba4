import * as z from 'zod';
import { RequiredExternalId } from '#lib/records/external-id.ts';
import { distinct, isBlank, lineOfText } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { addIssues } from '#lib/values/issues.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Rows of one call: as many as are written in its time, as a rule. */
const MAX_ROWS = 100;

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
      .max(MAX_ROWS),
  ),
});

export type SyncRow = z.output<typeof ProductSyncInput>['products'][number];

const Name = lineOfText(255)
  .nullish()
  .transform((name) => (isBlank(name) ? null : name));

/** An external id of something else, to the letter. */
const OtherId = lineOfText(255)
  .nullish()
  .transform((id) => (id === '' ? null : id));

/** A part of a row: which records are meant, and whether there is to be a product at all. */
export const RowTarget = z.object({
  is_deleted: z.boolean().default(false),
  category_external_id: OtherId,
  brand_name: Name,
  unit_external_id: OtherId,
  parent_external_id: OtherId,
});

export type RowTarget = z.output<typeof RowTarget>;

/** Which field of a card a name stands for. */
export const FIELD_OF_NAME = {
  category_external_id: 'category_id',
  brand_name: 'brand_id',
  unit_external_id: 'unit_id',
  parent_external_id: 'parent_id',
} as const;

/** Reads what a row means. 422 with what is wrong. */
export function resolveRow(row: SyncRow): RowTarget {
  const issues = new ValidationIssues();
  const read = validateLikeBody(RowTarget, row, issues);
  issues.throwIfAny();
  return RowTarget.parse(read);
}

/** Judges a value as a body is judged, and gives it as it was read. */
export function validateLikeBody(schema: z.ZodType, value: object, issues: ValidationIssues): unknown {
  const read = fromJson(schema, { parsed: value, text: '{}' });
  const { error } = schema.safeParse(read, { reportInput: true });
  if (error) addIssues(issues, schema, error.issues);
  return read;
}
