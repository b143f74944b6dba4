import { endpoint } from '#lib/http/endpoint.ts';
import { ProductSyncInput } from '#lib/stock/product-upsert/row.ts';
import { ProductUpsertResponse, upsertProducts } from '#lib/stock/product-upsert/upsert.ts';

export const PUT = endpoint({
  right: 'company.product.product.store',
  andRight: 'company.product.product.update',
  body: ProductSyncInput,
  response: ProductUpsertResponse,
  note:
    'A row is the body of a product, found by `external_id`: made, changed (what it leaves out stays) or, ' +
    'with `is_deleted: true`, deleted; a deleted one is restored. A row that deletes or restores needs that ' +
    'right too: 422 on `is_deleted`. An unknown `external_id` takes over the product of its `barcode` that has ' +
    'none. `category_external_id`, `brand_name`, `unit_external_id` and `parent_external_id` may stand for the ' +
    'ids; images are not taken. Each row is one transaction and has its own `status`; what 20 seconds do not ' +
    'reach is 503: send it again.',
  run: ({ actor, body, at, locale }) => upsertProducts(actor, body, { at, locale }),
});
