import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { amount, Money } from '#lib/values/money.ts';
import { ServiceUnit, serviceUnits } from './unit.ts';

/** A service that a family offers. Contract 7, "Service". */
export const Service = z.object({
  ...familyRecordFields,
  name: z.string(),
  service_unit_id: z.int(),
  price: Money,
  service_unit: ServiceUnit.nullish(),
});

/** Input to make or edit a service. */
export const ServiceInput = z.object({ name: text(255), service_unit_id: Id, price: amount(0.01) });

/** Record type of services. */
export const services: RecordType<typeof Service> = {
  type: 'service',
  copied: 'product.service',
  schema: Service,
  filters: { ...familyFilters, service_unit_id: exact('service_unit_id', Id), name: substring('name') },
  sorts: ['id', 'name', 'price'],
  embeds: { ...familyEmbeds, service_unit: sameTenantReference('service_unit', serviceUnits.type) },
  ...nameSearchText,
  // A deleted service keeps its unit: the contract counts it when the unit is to be deleted.
  references: ({ service_unit_id: id }) => [{ path: 'service_unit_id', type: serviceUnits.type, id }],
};

/**
 * List, get, make, edit, delete and restore the family's services. 422 on a service unit that the family
 * doesn't have.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(services, ofFamily);
