import type { Staff } from '#lib/auth/actor.ts';
import { brands } from '#lib/catalog/brand.ts';
import { byAnyBarcode, ProductCard, products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { type PriceType, readPriceTypes } from '#lib/catalog/price-type.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { recordSource } from '#lib/records/record.ts';
import { type Column, columnsOf, linkColumn, type SheetCall } from '#lib/records/sheet/column.ts';
import { rowSheet } from '#lib/records/sheet/sheet.ts';
import type { Item } from '#lib/table/client.ts';
import { Localized } from '#lib/values/localized.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { linesInCell } from './lines.ts';
import { packsText } from './pack-cells.ts';
import { typePriceText } from './price-cells.ts';
import { COLUMNS, type ProductColumn } from './workbook.ts';

const { columnUnder: column } = columnsOf(ProductCard.shape);

/** The columns of the import: sent back in mode `update`, every row is `same`. Part 5, 5B.9, 2. */
const BY_NAME: Readonly<Record<ProductColumn, Column>> = {
  name: column('product.column.name', 'name', 'text'),
  category: linkColumn('product.column.category', sameTenantReference('category', categories.type), nameIn),
  brand: linkColumn('product.column.brand', sameTenantReference('brand', brands.type)),
  unit: linkColumn('product.column.unit', sameTenantReference('unit', units.type), nameIn),
  barcode: column('product.column.barcode', 'barcode', 'text'),
  plu: column('product.column.plu', 'plu', 'text'),
  sale_price: column('product.column.sale_price', 'sale_price', 'money'),
  sale_currency: column('product.column.sale_currency', 'sale_currency', 'text'),
  description: column('product.column.description', 'description', 'text', linesInCell),
  external_id: column('product.column.external_id', 'external_id', 'text'),
  mxik: column('product.column.mxik', 'mxik', 'text'),
  package_code: column('product.column.package_code', 'package_code', 'text'),
  is_marked: column('product.column.is_marked', 'is_marked', 'number', (flag) => (flag ? 1 : 0)),
  barcodes: column('product.column.barcodes', 'barcodes', 'text', (packs = []) => packsText(packs)),
  article: column('product.column.article', 'article', 'text'),
  vat_percent: column('product.column.vat_percent', 'vat_percent', 'money'),
  min_price: column('product.column.min_price', 'min_price', 'money'),
  min_quantity: column(
    'product.column.min_quantity',
    'min_quantity',
    'number',
    (units) => units && units / ONE,
  ),
};

function priceColumn({ id, name }: PriceType): Column {
  const heading = { key: 'product.column.price_by_type', with: { name } } as const;
  return column(heading, 'prices', 'text', (prices = []) => typePriceText(prices, id));
}

/** Workbook of products. */
export const productSheet = {
  async give(call: SheetCall & { readonly actor: Staff }) {
    const { tenant } = call.actor;
    const [types, where] = await Promise.all([
      readPriceTypes(tenant),
      byAnyBarcode(tenant, call.query.where),
    ]);
    const live = [...types.values()].filter(({ is_deleted }) => !is_deleted);
    const columns = [...COLUMNS.map((name) => BY_NAME[name]), ...live.map(priceColumn)];
    const sheet = rowSheet(ProductCard, 'sheet.products', () => columns);
    return sheet.give(recordSource(products, tenant), where, call);
  },
};

function nameIn({ name }: Item, locale: Locale): string {
  return Localized.parse(name)[locale];
}
