import * as z from 'zod';
import { barcodeClaim, barcodeClaims, barcodeFields } from '#lib/catalog/barcodes.ts';
import { Brand, brands } from '#lib/catalog/brand.ts';
import { Category, categories } from '#lib/catalog/category.ts';
import { fiscalFields } from '#lib/catalog/fiscal-fields.ts';
import { recordPreviousPrice } from '#lib/catalog/price.ts';
import { typePriceFields } from '#lib/catalog/type-prices.ts';
import { Unit, units } from '#lib/catalog/unit/unit.ts';
import { ImageSize } from '#lib/files/images.ts';
import { PublicUrl } from '#lib/files/storage.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/colleague.ts';
import { externalIdConstraints, externalIdField, externalIdFilter } from '#lib/records/external-id.ts';
import { type Embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/query/filters.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import type { RecordType } from '#lib/records/record.ts';
import { referenceTo, requireNoReferences } from '#lib/records/references.ts';
import { companyRecordFields, parseStored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { recordKey, type SearchField, sameTenantKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { type ApiError, badRequest, invalid } from '#lib/values/api-error.ts';
import { barcodeToCompare, SoughtCode, sameBarcodes } from '#lib/values/code.ts';
import { Id } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import type { ErrorCode, MessageValues } from '#lib/values/message.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';

const TYPE = 'product';

/**
 * Product card, shared by a company and its branches: a main card or a variant of one. Part 2, "Repricing
 * batch".
 */
export const ProductCard = z.object({
  ...companyRecordFields,
  parent_id: z.int().nullable(),
  category_id: z.int(),
  brand_id: z.int().nullable(),
  unit_id: z.int(),
  ...externalIdField,
  name: z.string(),
  /** Name, prefixed by the main card's. Not stored, since main cards are renamed: `fullText` embeds it. */
  full_text: z.string().optional(),
  plu: z.string().nullable(),
  barcode: z.string(),
  ...barcodeFields,
  description: z.string().nullable(),
  sale_price: Money,
  sale_currency: Currency,
  is_free_price: z.boolean(),
  is_favorite: z.boolean(),
  is_bundle_only: z.boolean(),
  min_price: Money.nullable(),
  min_price_percent: Money.nullable(),
  ...typePriceFields,
  min_quantity: Quantity.nullable(),
  ...fiscalFields,
  images_list: z.array(PublicUrl),
  images_list_thumbs: z.array(z.array(ImageSize)),
});

/** Card with the records that it references. */
export const Product = ProductCard.extend({
  category: Category.nullish(),
  brand: Brand.nullish(),
  unit: Unit.nullish(),
  parent: ProductCard.nullish(),
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
});

/** Name prefixed by the main card's, in every response; not stored. */
export const fullText: Embed = {
  field: 'full_text',
  keysOf: (row) => [sameTenantKey(TYPE, row['pk'], row['parent_id']) ?? []].flat(),
  shape: ([parent], row) => (parent ? `${parent['name']} ${row['name']}` : row['name']),
};

/** Searched fields of products. Part 5, 5B.1, 1. */
export const PRODUCT_SEARCH: readonly SearchField[] = [
  { field: 'name', as: 'name' },
  { field: 'barcode', as: 'code' },
  { field: 'barcodes', of: 'barcode', as: 'code' },
  { field: 'plu', as: 'code' },
  { field: 'article', as: 'code' },
  { field: 'external_id', as: 'external' },
];

/**
 * Record type of products. Referenced records must exist, and count their references; a card with variants
 * cannot be a variant.
 */
export const products: RecordType<typeof Product> = {
  type: TYPE,
  copied: 'product.product',
  schema: Product,
  filters: {
    id: exactOrList('id', Id),
    category_id: exact('category_id', Id),
    brand_id: exact('brand_id', Id),
    unit_id: exact('unit_id', Id),
    parent_id: exact('parent_id', Id),
    name: substring('name'),
    search: searchFilter(PRODUCT_SEARCH),
    barcode: exactOrList('barcode', SoughtCode, sameBarcodes),
    plu: exact('plu', SoughtCode),
    ...externalIdFilter,
    is_favorite: exact('is_favorite', z.boolean()),
    is_bundle_only: exact('is_bundle_only', z.boolean()),
    created_at: period('created_at'),
  },
  search: PRODUCT_SEARCH,
  sorts: ['id', 'name', 'sale_price'],
  embeds: {
    category: sameTenantReference('category', categories.type),
    brand: sameTenantReference('brand', brands.type),
    unit: sameTenantReference('unit', units.type),
    parent: sameTenantReference('parent', TYPE, fullText),
    'creator.profile': creatorEmbed,
    company: companyEmbed,
  },
  names: (card, tenant) => [
    ...externalIdConstraints(card, tenant),
    ...barcodeClaims(card, tenant),
    ...(card.plu === null ? [] : [{ path: 'plu', scope: tenant, text: card.plu }]),
  ],
  ...nameSearchText,
  keeps: recordPreviousPrice,
  references: ({ category_id, brand_id, unit_id, parent_id }) => [
    ...referenceTo(categories.type, 'category_id', category_id),
    ...referenceTo(brands.type, 'brand_id', brand_id),
    ...referenceTo(units.type, 'unit_id', unit_id),
    ...referenceTo(TYPE, 'parent_id', parent_id).map((each) => ({ ...each, if: equals('parent_id', null) })),
  ],
  alsoWrites: (tenant, before, after) =>
    before?.parent_id === null && after.parent_id !== null
      ? [requireNoReferences(TYPE, tenant, after.id, invalid({ parent_id: 'product.has_variants' }))]
      : [],
};

/**
 * Widens a filter by barcode: it finds products by their further barcodes, too, which have no index, by their
 * unique constraints. One round trip if there is such a filter.
 */
export async function byAnyBarcode(tenant: Tenant, where: readonly Expression[]): Promise<Expression[]> {
  const filter = where.find(({ paths, values }) => values && paths[0] === 'barcode');
  if (!filter) return [...where];
  const barcodes = [...new Set(filter.values?.map((value) => barcodeToCompare(String(value))))];
  const owners = await ownersOf(
    TYPE,
    barcodes.map((barcode) => barcodeClaim(barcode, tenant)),
  );
  const ids = owners.filter((id) => id !== undefined);
  if (ids.length === 0) return [...where];
  const { parameter } = filter;
  const either = { ...any([filter, oneOf('id', ids)]), ...(parameter !== undefined && { parameter }) };
  return where.map((each) => (each === filter ? either : each));
}

/** Reads the name of a product, deleted or not, for messages. */
export async function readProductName(tenant: Tenant, id: number): Promise<string> {
  return parseStored(Product, await getItem(recordKey(TYPE, tenant, id))).name;
}

/** Refusal of an operation because of one of its products, without the product's name. */
export interface ProductObstacle {
  readonly key: ErrorCode;
  readonly product_id: number;
  readonly with?: MessageValues;
}

/** Returns the 400 of an obstacle, with the product's `name`. One round trip. */
export async function obstacleRefusal(
  tenant: Tenant,
  { key, product_id, with: values }: ProductObstacle,
): Promise<ApiError> {
  return badRequest(key, { name: await readProductName(tenant, product_id), ...values });
}

/** Builds the check that a product exists. 422 on the path otherwise. */
export function requireProduct(tenant: Tenant, id: number, path: string): Write {
  const otherwise = invalid({ [path]: 'validation.not_found' });
  return check(recordKey(TYPE, tenant, id), { if: equals('is_deleted', false), otherwise });
}
