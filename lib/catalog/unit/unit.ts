import * as z from 'zod';
import { asOwn, copyableFields, copyableName } from '#lib/catalog/unit/copyable.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import {
  externalIdConstraints,
  externalIdField,
  externalIdFilter,
  externalIdInput,
} from '#lib/records/external-id.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { multilingualText } from '#lib/values/localized.ts';

/**
 * Measurement unit of goods: a copy of a template (`source_id`) or the family's own. Contract 7, "Measurement
 * unit".
 */
export const Unit = z.object({
  ...copyableFields,
  ...externalIdField,
  accuracy: z.int(),
});

/** Decimal places: a quantity has up to eight. */
const Accuracy = z.int().min(0).max(8);

/** Input to create or edit a unit. */
export const UnitInput = z.object({ name: multilingualText(255), accuracy: Accuracy, ...externalIdInput });

/** Record type of measurement units. */
export const units: RecordType<typeof Unit> = {
  type: 'unit',
  copied: 'product.unit',
  schema: Unit,
  filters: {
    ...familyFilters,
    ...externalIdFilter,
    name: substring('name'),
    accuracy: exact('accuracy', Accuracy),
  },
  embeds: familyEmbeds,
  ...copyableName,
  names: (unit, tenant) => [...copyableName.names(unit, tenant), ...externalIdConstraints(unit, tenant)],
  inUse: badRequest('unit.in_use'),
};

/**
 * Operations on the family's units: list, get, create, edit, delete, restore. A copy keeps its template. 422
 * on a duplicate name in a language; 400 to delete one used by a product, deleted or not.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(units, asOwn);
