import type { products } from '#lib/catalog/card.ts';
import type { Stored } from '#lib/records/stored.ts';

type Card = Stored<typeof products.schema>;

/** Builds a product as stored in the table, at 100.00. */
export function newProductOf(given: Partial<Card>): Card {
  return {
    ...{ id: 1, name: 'Tea', barcode: '', plu: null, external_id: null, description: null, images_list: [] },
    ...{ company_id: 1, creator_id: 1, parent_id: null, category_id: 1, brand_id: null, unit_id: 1 },
    ...{ is_free_price: true, is_favorite: false, is_bundle_only: false, is_deleted: false },
    ...{ min_price: null, min_price_percent: null, min_quantity: null, images_list_thumbs: [] },
    ...{ sale_price: 10_000, sale_currency: 'uzs', created_at: 0, updated_at: 0, version: 1 },
    ...given,
  };
}
