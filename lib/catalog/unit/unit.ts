import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { copyableFields, copyableNames } from '#lib/catalog/unit/copyable.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * A measurement unit of goods: a copy of a template (`source_id`) or the family's own. Decisions, 7,
 * "Measurement unit".
 */
export const Unit = z.object({
  ...copyableFields,
  accuracy: z.int(),
});

/** Digits after the decimal point: a quantity has up to eight. */
const Accuracy = z.int().min(0).max(8);

/** Input to make or edit a unit. */
export const UnitInput = z.object({ name: multilingualText(255), accuracy: Accuracy });

type UnitInput = z.output<typeof UnitInput>;

/** Record type of measurement units. */
export const units: RecordType<typeof Unit> = {
  type: 'unit',
  schema: Unit,
  filters: { ...familyFilters, name: substring('name'), accuracy: exact('accuracy', Accuracy) },
  embeds: familyEmbeds,
  names: copyableNames,
  folded: localizedName.folded,
  inUse: refuse('unit.in_use'),
};

const records = recordsOf(units, ofFamily);

/**
 * List, get, edit, delete and restore the family's units: a copy stays a copy of its template. 422 as for a
 * new one; deleting one that a product has, deleted or not, is 400.
 */
export const { List, Embeds, list, get, edit, remove, restore } = records;

/** Makes a unit of the family's own. 422 on a name that the family has in that language. */
export function create(actor: Staff, input: UnitInput, at: Instant) {
  return records.create(actor, { ...input, source_id: null }, at);
}
