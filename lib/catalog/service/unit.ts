import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { copyableFields, copyableNames } from '#lib/catalog/unit/copyable.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** A unit of services: a copy of a template (`source_id`) or the family's own. Part 1, "Service units". */
export const ServiceUnit = z.object(copyableFields);

/** Input to make or edit a service unit. */
export const ServiceUnitInput = z.object({ name: multilingualText(255) });

type ServiceUnitInput = z.output<typeof ServiceUnitInput>;

const { id, created_at } = familyFilters;

/** Record type of service units. */
export const serviceUnits: RecordType<typeof ServiceUnit> = {
  type: 'service-unit',
  schema: ServiceUnit,
  filters: { id, name: substring('name'), created_at },
  names: copyableNames,
  folded: localizedName.folded,
  inUse: refuse('service_unit.in_use'),
};

const records = recordsOf(serviceUnits, ofFamily);

/**
 * List, get, edit, delete and restore the family's service units: a copy stays a copy of its template. 422 as
 * for a new one; deleting one that a service has is 400.
 */
export const { List, Embeds, list, get, edit, remove, restore } = records;

/** Makes a service unit of the family's own. 422 on a name that the family has in that language. */
export function create(actor: Staff, input: ServiceUnitInput, at: Instant) {
  return records.create(actor, { ...input, source_id: null }, at);
}
