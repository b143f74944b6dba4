import { Product } from '#lib/catalog/card.ts';
import { productSheet } from '#lib/catalog/product/export.ts';
import * as products from '#lib/catalog/product/product.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import { List, ListedProduct, list } from '#lib/stock/product-list.ts';

export const GET = listing({
  right: 'company.product.product.index',
  query: List,
  rows: ListedProduct,
  sheet: productSheet,
  mayNeed: { 'company.stock.product.index': null },
  note:
    '`with[]=balance` shows the stock of the warehouse `stock_id`, null if it never had the product; it requires ' +
    'the right to see stock: 403. The workbook has the columns of the import: sent back with `mode=update`, ' +
    'each row of a product that is not deleted is `same`.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.product.store',
  accepts: 'multipart',
  body: products.ProductInput,
  response: Product,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, body, at }) => products.create(actor, body, { at, checkFloors }),
});
