import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { type PatchFields, patchOf } from '#lib/records/patch.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import type { SearchField } from '#lib/table/keys.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { amount, Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ServiceUnit, serviceUnits } from './unit.ts';

/** Service of a family. Contract 7, "Service". */
export const Service = z.object({
  ...familyRecordFields,
  name: z.string(),
  service_unit_id: z.int(),
  price: Money,
  service_unit: ServiceUnit.nullish(),
});

/** Input to create or edit a service. */
export const ServiceInput = z.object({ name: text(255), service_unit_id: Id, price: amount(0.01) });

/** Searched fields of services. Part 5, 5B.1, 1. */
const SEARCH: readonly SearchField[] = [{ field: 'name', as: 'name' }];

/** Record type of services. */
export const services: RecordType<typeof Service> = {
  type: 'service',
  copied: 'product.service',
  schema: Service,
  filters: {
    ...familyFilters,
    service_unit_id: exact('service_unit_id', Id),
    name: substring('name'),
    search: searchFilter(SEARCH),
  },
  search: SEARCH,
  sorts: ['id', 'name', 'price'],
  embeds: { ...familyEmbeds, service_unit: sameTenantReference('service_unit', serviceUnits.type) },
  ...nameSearchText,
  // A deleted service keeps its unit, and by contract prevents the unit's deletion.
  references: ({ service_unit_id: id }) => [{ path: 'service_unit_id', type: serviceUnits.type, id }],
};

const records = recordsOf(services, ofFamily);

/**
 * Operations on the family's services: list, get, create, edit, delete, restore. 422 on an unknown service
 * unit.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = records;

const Patch = patchOf(Service, ServiceInput);

/** Body that changes some fields of a service. Part 5, 5B.10. */
export const ServicePatch = Patch.Body;

/** Edits the fields of a service that a body has. 422 as of an edit. */
export function patch(actor: Staff, id: number, fields: PatchFields, at: Instant) {
  return records.patch(actor, id, (before) => Patch.complete(before, fields), at);
}
