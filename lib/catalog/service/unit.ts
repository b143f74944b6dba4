import * as z from 'zod';
import { asOwn, copyableFields, copyableName } from '#lib/catalog/unit/copyable.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { DEFAULT_PAGE_SIZE, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { multilingualText } from '#lib/values/localized.ts';

/** Service unit: a copy of a template (`source_id`) or the family's own. Part 1, "Service units". */
export const ServiceUnit = z.object(copyableFields);

/** Input to create or edit a service unit. */
export const ServiceUnitInput = z.object({ name: multilingualText(255) });

const { id, created_at } = familyFilters;

/** Record type of service units. */
export const serviceUnits: RecordType<typeof ServiceUnit> = {
  type: 'service-unit',
  copied: 'product.service-unit',
  pageSize: DEFAULT_PAGE_SIZE,
  schema: ServiceUnit,
  filters: { id, name: substring('name'), created_at },
  ...copyableName,
  inUse: badRequest('service_unit.in_use'),
};

/**
 * Operations on the family's service units: list, get, create, edit, delete, restore. A copy keeps its
 * template. 422 on a duplicate name in a language; 400 to delete one used by a service.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(serviceUnits, asOwn);
