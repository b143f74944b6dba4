import * as z from 'zod';
import { brands } from '#lib/catalog/brand.ts';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { Currency } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { readNames, readNamesIn, recordsAt } from './names.ts';

/** Fields of a product card: its current name, groups and price. */
const CardOfGoods = z.object({
  name: z.string(),
  parent_id: z.int().nullable(),
  category_id: z.int(),
  brand_id: z.int().nullable(),
  sale_price: z.int(),
  sale_currency: Currency,
});

export type CardOfGoods = z.output<typeof CardOfGoods>;

/** Reads product cards by id, deleted ones too. One round trip up to eight thousand. */
export async function cardsOf(tenant: Tenant, ids: Iterable<number>): Promise<Map<number, CardOfGoods>> {
  const items = await recordsAt({ type: products.type, tenant }, ids, Object.keys(CardOfGoods.shape));
  return new Map([...items].map(([id, item]) => [id, CardOfGoods.parse(item)]));
}

/**
 * Returns a function from product id to name, prefixed with that of its main card. One round trip if any is a
 * variant.
 */
export async function productNames(
  tenant: Tenant,
  cards: ReadonlyMap<number, Pick<CardOfGoods, 'name' | 'parent_id'>>,
) {
  const parents = [...cards.values()].flatMap(({ parent_id }) => parent_id ?? []);
  const nameOf = await readNames({ type: products.type, tenant }, parents);
  return (id: number | null) => {
    const card = id === null ? undefined : cards.get(id);
    if (!card) return null;
    const parentName = nameOf(card.parent_id);
    return parentName === null ? card.name : `${parentName} ${card.name}`;
  };
}

/** Grouping by a field of the product card. */
type GroupOfCards = 'category' | 'brand';

/** Returns the category or the brand of a card. */
export function keyOfCard(group: GroupOfCards, { category_id, brand_id }: CardOfGoods): number | null {
  return group === 'category' ? category_id : brand_id;
}

/** Reads the names of categories in a locale, or of brands. One round trip. */
export async function namesOfGoods(
  tenant: Tenant,
  { group, ids }: { readonly group: GroupOfCards; readonly ids: Iterable<number> },
  locale: Locale,
): Promise<(id: number | null) => string | null> {
  if (group === 'brand') return readNames({ type: brands.type, tenant }, ids);
  return readNamesIn({ type: categories.type, tenant }, ids, locale);
}
