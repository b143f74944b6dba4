import * as z from 'zod';
import { products } from '#lib/catalog/card.ts';
import { isPresent, parseStored, sourceOf } from '#lib/records/stored.ts';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';

/** Fields of a product that the report reads. */
const OrderedCard = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  name: z.string(),
  unit_id: z.int(),
  min_quantity: z.int().nullable(),
});

export type OrderedCard = z.output<typeof OrderedCard>;

/** Reads the products that can be ordered, of categories unless they are undefined. */
export async function readOrderedCards(
  tenant: Tenant,
  categoryIds: ReadonlySet<number> | undefined,
): Promise<ReadonlyMap<number, OrderedCard>> {
  const ofCategories = categoryIds ? [oneOf('category_id', [...categoryIds])] : [];
  const where = [equals('is_deleted', false), ...ofCategories];
  const source = sourceOf(products, tenant);
  const found = await readRowsOf(source, { fields: OrderedCard, where, filter: 'filter.category_id' });
  return new Map(found.map((card) => [card.id, card]));
}

/** Reads those of some products that can be ordered. One round trip. */
export async function readCardsOf(tenant: Tenant, ids: readonly number[]): Promise<OrderedCard[]> {
  const items = await getItems(ids.map((id) => recordKey(products.type, tenant, id)));
  return items.filter(isPresent).map((item) => parseStored(OrderedCard, item));
}
