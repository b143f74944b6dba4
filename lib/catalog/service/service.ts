import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesOf } from '#lib/cash/company-rates.ts';
import { fiscalFieldsOfSold, fiscalInputOfSold, fiscalOfSold } from '#lib/catalog/fiscal-fields.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import {
  externalIdConstraints,
  externalIdField,
  externalIdFilter,
  externalIdInput,
} from '#lib/records/external-id.ts';
import { type PatchFields, patchOf } from '#lib/records/patch.ts';
import { type Embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { parseStored } from '#lib/records/stored.ts';
import { mainCompanyOf, type SearchField, type Tenant } from '#lib/table/keys.ts';
import { Cost } from '#lib/values/cost.ts';
import { Id, orNull, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { amount, Currency, Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';
import { ServiceUnit, serviceUnits } from './unit.ts';

/** Service of a family, without the records that it references. Contract 7, "Service"; Part 5, 5A.1. */
export const ServiceCard = z.object({
  ...familyRecordFields,
  ...externalIdField,
  name: z.string(),
  service_unit_id: z.int(),
  price: Money,
  /** Currency of price and cost; absent in services that predate it, which have `currencyEmbed`. */
  currency: Currency.default('uzs'),
  /** Cost of one unit. */
  cost: Cost.nullable().default(null),
  is_free_price: z.boolean().default(false),
  ...fiscalFieldsOfSold,
});

export type ServiceCard = z.input<typeof ServiceCard>;

/** Service with its unit. */
export const Service = ServiceCard.extend({ service_unit: ServiceUnit.nullish() });

/** Input to create or edit a service. */
export const ServiceInput = z.object({
  ...externalIdInput,
  name: text(255),
  service_unit_id: Id,
  price: amount(0.01),
  /** If absent, that of a new service is the main company's sale currency, and an existing one's stays. */
  currency: Currency.nullish(),
  cost: orNull(amount(0)),
  is_free_price: z.boolean().default(false),
  ...fiscalInputOfSold,
});

type ServiceInput = z.output<typeof ServiceInput>;

/** Price with its currency, and VAT rate. */
const HistoryEntry = z.tuple([z.tuple([z.int(), Currency.nullable()]), z.int().nullable()]);

const history = new History(
  HistoryEntry,
  ({ price, currency, vat_percent }: ServiceCard): z.output<typeof HistoryEntry> => [
    [price, currency ?? null],
    vat_percent ?? null,
  ],
);

/** Returns a service's past prices and VAT rates, the present ones first. Part 5, 5.0, 5. */
export function serviceSpans(service: ServiceCard): Span<ServiceCard>[] {
  return mapSpans(history.spans(service, service.created_at), ([[price, currency], vat_percent]) => {
    return { ...service, price, currency: currency ?? service.currency, vat_percent };
  });
}

/** Searched fields of services. Part 5, 5B.1, 1. */
const SEARCH: readonly SearchField[] = [
  { field: 'name', as: 'name' },
  { field: 'external_id', as: 'external' },
];

/** `with[]=service_unit`: the unit of a service. */
export const unitEmbed = sameTenantReference('service_unit', serviceUnits.type);

/** Record type of services. */
export const services: RecordType<typeof Service> = {
  type: 'service',
  copied: 'product.service',
  schema: Service,
  filters: {
    ...familyFilters,
    ...externalIdFilter,
    service_unit_id: exact('service_unit_id', Id),
    name: substring('name'),
    search: searchFilter(SEARCH),
  },
  search: SEARCH,
  sorts: ['id', 'name', 'price'],
  embeds: { ...familyEmbeds, service_unit: unitEmbed },
  ...nameSearchText,
  keeps: history.keep.bind(history),
  names: externalIdConstraints,
  // A deleted service keeps its unit, and by contract prevents the unit's deletion.
  references: ({ service_unit_id: id }) => [{ path: 'service_unit_id', type: serviceUnits.type, id }],
};

/** Returns the embed of the currency of services that have none: the main company's sale currency. */
export function currencyEmbed(family: Tenant): Embed {
  return {
    field: 'currency',
    keysOf: ({ currency }) => (currency ? [] : [keyOfRates(family, mainCompanyOf(family))]),
    shape: ([rates], { currency }) => currency ?? rates?.['sale_currency'],
  };
}

const records = recordsOf(services, { ...ofFamily, alwaysEmbeds: (family) => [currencyEmbed(family)] });

/** Operations on the family's services: list, get, delete, restore. */
export const { List, Embeds, list, get, remove, restore } = records;

/** Creates a service. 422 on an unknown service unit, and on a duplicate external id. */
export function create(actor: Staff, input: ServiceInput, at: Instant) {
  const making = currencyOfNew(actor, input).then((currency) => (base: object) => {
    return parseStored(Service, { ...base, ...input, ...fiscalOfSold(input), currency });
  });
  return records.insert(actor, at, making);
}

async function currencyOfNew({ tenant, familyId }: Staff, { currency }: ServiceInput) {
  return currency ?? (await ratesOf(tenant, familyId)).saleCurrency;
}

/** Edits a service. 422 as in `create`. */
export function edit(actor: Staff, id: number, { currency, ...input }: ServiceInput, at: Instant) {
  return records.change(actor, id, at, (before) => ({
    ...before,
    ...input,
    ...(currency && { currency }),
  }));
}

const Patch = patchOf(Service, ServiceInput);

/** Body that changes some fields of a service. Part 5, 5B.10. */
export const ServicePatch = Patch.Body;

/**
 * Edits the fields of a service that a body has; its currency stays unless named, as in a PUT. 422 as of an
 * edit.
 */
export function patch(actor: Staff, id: number, { currency: named, ...others }: PatchFields, at: Instant) {
  const fields = named === null || named === undefined ? others : { ...others, currency: named };
  const complete = (before: Parameters<typeof Patch.complete>[0]) => {
    const completed = Patch.complete(before, fields);
    if (!completed) return undefined;
    const { currency, ...input } = completed;
    return { ...input, ...('currency' in fields && currency && { currency }) };
  };
  return records.patch(actor, id, complete, at);
}
