import { endpoint } from '#lib/http/endpoint.ts';
import { ProductSyncInput } from '#lib/stock/product-upsert/row.ts';
import { ProductUpsertResponse, upsertProducts } from '#lib/stock/product-upsert/upsert.ts';

export const PUT = endpoint({
  right: 'company.product.product.store',
  andRight: 'company.product.product.update',
  mayNeed: { 'company.product.product.destroy': 'products', 'company.product.product.restore': 'products' },
  body: ProductSyncInput,
  response: ProductUpsertResponse,
  note:
    'A row is the body of a product, identified by `external_id`: it creates, updates (fields left out keep ' +
    'their value) or, with `is_deleted: true`, deletes; a deleted product is restored. Deleting and restoring ' +
    'require their rights: 422 on `is_deleted`. An unknown `external_id` is assigned to the product with the ' +
    'same `barcode` if that has none. `category_external_id`, `brand_name`, `unit_external_id` and ' +
    '`parent_external_id` can replace the ids; a deleted record is known only to the products that have it. ' +
    'Images are not supported. Each row is a transaction with its own `status`; rows not processed within 20 seconds get 503: send them again.',
  run: ({ actor, body, at, locale }) => upsertProducts(actor, body, { at, locale }),
});
