import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import { type Actor, type Area, type AreaActors, isIn } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import * as reasons from '#lib/cash/reason.ts';
import * as brands from '#lib/catalog/brand.ts';
import * as bundles from '#lib/catalog/bundle.ts';
import { PRODUCT_SEARCH, products } from '#lib/catalog/card.ts';
import * as categories from '#lib/catalog/category.ts';
import * as options from '#lib/catalog/option.ts';
import * as priceTypes from '#lib/catalog/price-type.ts';
import * as services from '#lib/catalog/service/service.ts';
import * as serviceUnits from '#lib/catalog/service/unit.ts';
import * as specifications from '#lib/catalog/specification.ts';
import * as units from '#lib/catalog/unit/unit.ts';
import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import * as clients from '#lib/clients/client.ts';
import * as companies from '#lib/people/company/company.ts';
import * as partnerCompanies from '#lib/people/company/of-partner.ts';
import * as partners from '#lib/people/company/partner.ts';
import { companies as familyCompanies } from '#lib/people/company/record.ts';
import * as roles from '#lib/people/role/role.ts';
import { nameOfUser } from '#lib/people/user/colleague.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import * as languages from '#lib/platform/language.ts';
import { containsText, exactOrList, SearchText } from '#lib/records/query/filters.ts';
import { type ListQuery, searchParameters, searchRequest } from '#lib/records/query/list-query.ts';
import { ifPhone } from '#lib/records/query/phone-filters.ts';
import { ifSearch } from '#lib/records/query/search-filter.ts';
import { listRecords } from '#lib/records/record.ts';
import { districts } from '#lib/regions/district.ts';
import { neighbourhoods } from '#lib/regions/neighbourhood.ts';
import { regions } from '#lib/regions/region.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { any, type Expression, oneOf } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { sameBarcodes, soughtCode } from '#lib/values/code.ts';
import { Id } from '#lib/values/fields.ts';
import type { Localized } from '#lib/values/localized.ts';
import type { Locale } from '#lib/values/text.ts';

/** A record as a drop-down shows it. Part 1, "Reference records". */
export const HelperRecord = z.object({ id: z.int(), value: z.string(), is_deleted: z.boolean() });

type HelperRecord = z.output<typeof HelperRecord>;

/** Query string of the list. Part 1, "Shared helper methods". */
export const HelperList = z.strictObject({
  filter: z.strictObject({ id: exactOrList('id', Id).optional(), value: SearchText.optional() }).default({}),
  ...searchParameters(20),
});

type HelperList = z.output<typeof HelperList>;

/** A list of a type for callers of an area; undefined for others. */
interface Kind {
  readonly area: Area;
  list(actor: Actor, query: HelperList, locale: Locale): Promise<Page<HelperRecord>> | undefined;
}

/** Record types by their name in the path, each with its area, shown field and list. */
const KINDS: ReadonlyMap<string, readonly Kind[]> = new Map(
  Object.entries({
    stock: [kindFor('company', 'name', warehouses.list)],
    supplier: [kindFor('company', 'name', suppliers.listBare, byWordsOf('name'))],
    cashbox: [kindFor('company', 'name', desks.listBare)],
    reason: [kindFor('company', 'name', reasons.list)],
    product: [
      kindFor('company', 'name', ({ tenant }, query) => listRecords(products, tenant, query), productsFor),
    ],
    bundle: [kindFor('company', 'name', bundles.list)],
    service: [kindFor('company', 'name', services.list, byWordsOf('name'))],
    product_brand: [kindFor('company', 'name', brands.list)],
    product_unit: [kindFor('company', 'name', units.list)],
    product_category_list: [kindFor('company', 'name', categories.list)],
    product_specification: [kindFor('company', 'name', specifications.list)],
    product_option: [kindFor('company', 'name', options.list)],
    price_type: [kindFor('company', 'name', priceTypes.list)],
    service_unit: [kindFor('company', 'name', serviceUnits.list)],
    bonus_tariff: [kindFor('company', 'name', bonusTariffs.list)],
    client: [
      kindFor('company', 'full_name', clients.listBare, (value) => [
        ...byWordsOf('full_name')(value),
        ...ifPhone('main_phone', value),
      ]),
    ],
    company: [
      kindFor('admin', 'name', companies.list),
      kindFor('partner', 'name', partnerCompanies.list),
      kindFor('company', 'name', (actor, query) =>
        listRecords(familyCompanies, actor.tenant, narrow(query, among('id', actor.companies))),
      ),
    ],
    partner: [kindFor('admin', 'name', partners.list)],
    region: ofCountry((query) => listRecords(regions, PLATFORM, query)),
    region_district: ofCountry((query) => listRecords(districts, PLATFORM, query)),
    region_mfy: ofCountry((query) => listRecords(neighbourhoods, PLATFORM, query)),
    language: [kindFor('admin', 'name', languages.list)],
    role: [kindFor('admin', 'name', roles.list), kindFor('company', 'name', roles.list)],
    user: [kindFor('company', 'name', usersOf)],
  }),
);

/** Lists the types of an area. */
function typesFor(area: Area): string {
  const own = [...KINDS].filter(([, kinds]) => kinds.some((kind) => kind.area === area));
  return own.map(([type]) => `\`${type}\``).join(', ');
}

/** Type in the path. An unknown one is rejected by the endpoint with an error of its own. */
export const HelperType = z.object({
  type: z.string().meta({
    enum: [...KINDS.keys()],
    description: `Type of records. For staff ${typesFor('company')}; for administrators ${typesFor('admin')}; for partners ${typesFor('partner')}.`,
  }),
});

/**
 * Lists one page of a type's records. 400 for an unknown type, and for one of another area than the caller's.
 */
export async function list(actor: Actor, type: string, query: HelperList, locale: Locale) {
  for (const kind of KINDS.get(type) ?? []) {
    const page = await kind.list(actor, query, locale);
    if (page) return page;
  }
  throw badRequest('records.type_unavailable');
}

/** Lists the staff of the companies open to the caller by name. */
async function usersOf(actor: AreaActors['company'], query: ListQuery) {
  const page = await companyUsers.list(actor, query);
  return { ...page, rows: page.rows.map((user) => ({ ...user, name: nameOfUser(user) })) };
}

/** Selects products by a whole barcode, or as a search does. Contract 9.124; Part 5, 5B.1, 1. */
function productsFor(value: string): Expression[] {
  return [oneOf('barcode', sameBarcodes(soughtCode(value))), ...ifSearch(PRODUCT_SEARCH, value)];
}

/** Selects records by words of their name; other fields need a right to search. Part 5, 5B.1, 1. */
function byWordsOf(field: string) {
  return (value: string) => ifSearch([{ field, as: 'name' }], value);
}

/**
 * Returns the list of a type for callers of an area, searched by the shown field or by `further` conditions.
 */
function kindFor<A extends Area, F extends string, R extends Shown<F>>(
  area: A,
  field: F,
  records: (actor: AreaActors[A], query: ListQuery) => Promise<Page<R>>,
  further: (value: string) => readonly Expression[] = () => [],
): Kind {
  const page = async (actor: AreaActors[A], query: HelperList, locale: Locale) => {
    const { id, value } = query.filter;
    const filters = [
      id ?? [],
      value === undefined ? [] : any([containsText(field, value, [locale]), ...further(value)]),
    ].flat();
    const found = await records(actor, searchRequest(query, filters));
    return { ...found, rows: found.rows.map((row) => toHelperRecord(row, row[field], locale)) };
  };
  return {
    area,
    list: (actor, query, locale) => (isIn(area, actor) ? page(actor, query, locale) : undefined),
  };
}

/** Returns the list of places of the country, for administrators and for companies' staff. */
function ofCountry(places: (query: ListQuery) => Promise<Page<Shown<'name'>>>): Kind[] {
  const list = (_: Actor, query: ListQuery) => places(query);
  return [kindFor('admin', 'name', list), kindFor('company', 'name', list)];
}

type Shown<F extends string> = Omit<HelperRecord, 'value'> & Record<F, string | Localized>;

function toHelperRecord(
  { id, is_deleted }: Omit<HelperRecord, 'value'>,
  value: string | Localized,
  locale: Locale,
) {
  return { id, value: typeof value === 'string' ? value : value[locale], is_deleted };
}

function narrow(query: ListQuery, where: ListQuery['where']): ListQuery {
  return { ...query, where: [...query.where, ...where] };
}
