import * as z from 'zod';
import { RequiredExternalId } from '#lib/records/external-id.ts';
import { distinct, isBlank, lineOfText } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { addIssues } from '#lib/values/issues.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Limit of rows in a call: usually written within its time. */
const MAX_ROWS = 100;

/**
 * Body of a product upsert. A row without an external id, or with a duplicate one, rejects the whole call.
 * The other fields are validated along with the row's product. Part 4, 4.3.
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

/** External id of another record, compared exactly. */
const OtherId = lineOfText(255)
  .nullish()
  .transform((id) => (id === '' ? null : id));

/** Fields of a row that reference records or delete the product. */
export const RowTarget = z.object({
  is_deleted: z.boolean().default(false),
  category_external_id: OtherId,
  brand_name: Name,
  unit_external_id: OtherId,
  parent_external_id: OtherId,
});

export type RowTarget = z.output<typeof RowTarget>;

/** Card field for each name. */
export const FIELD_OF_NAME = {
  category_external_id: 'category_id',
  brand_name: 'brand_id',
  unit_external_id: 'unit_id',
  parent_external_id: 'parent_id',
} as const;

/** Parses the references of a row. 422 with the failing fields. */
export function resolveRow(row: SyncRow): RowTarget {
  const issues = new ValidationIssues();
  const read = validateLikeBody(RowTarget, row, issues);
  issues.throwIfAny();
  return RowTarget.parse(read);
}

/** Validates a value like a request body and returns it as parsed. */
export function validateLikeBody(schema: z.ZodType, value: object, issues: ValidationIssues): unknown {
  const read = fromJson(schema, { parsed: value, text: '{}' });
  const { error } = schema.safeParse(read, { reportInput: true });
  if (error) addIssues(issues, schema, error.issues);
  return read;
}
