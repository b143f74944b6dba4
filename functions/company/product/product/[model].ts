import { Product } from '#lib/catalog/card.ts';
import * as products from '#lib/catalog/product/product.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import { removeProduct } from '#lib/stock/product-removal.ts';

export const GET = endpoint({
  right: 'company.product.product.show',
  query: products.Embeds,
  response: Product,
  run: ({ actor, id, query }) => products.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.product.update',
  accepts: 'multipart',
  body: products.ProductEdit,
  response: Product,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, id, body, at }) => products.edit(actor, id, body, { at, checkFloors }),
});

export const PATCH = endpoint({
  right: 'company.product.product.update',
  body: products.ProductPatch,
  response: Product,
  run: ({ actor, id, body, at }) => products.patch(actor, id, body, { at, checkFloors }),
});

export const DELETE = endpoint({
  right: 'company.product.product.destroy',
  note: '400 while goods of the product are in stock, on hold or in transit.',
  run: ({ actor, id, at }) => removeProduct(actor, id, at),
});
