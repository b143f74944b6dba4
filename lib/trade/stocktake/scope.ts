import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { products } from '#lib/catalog/card.ts';
import { users } from '#lib/people/user/user.ts';
import { isPresent } from '#lib/records/stored.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Id, listOf, optionalText, orNull } from '#lib/values/fields.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { categoriesOf, categoryAncestors, type ProductTraits } from './goods.ts';
import { MAX_POSITIONS } from './positions.ts';
import { StocktakeType } from './record.ts';

/** Input to start a stocktake: a partial one has categories, including their descendants, and products. */
export const StocktakeInput = z
  .object({
    stock_id: Id,
    type: StocktakeType,
    responsible_id: orNull(Id),
    comment: optionalText(1000),
    category_ids: listOf(Id, 1000),
    product_ids: listOf(Id, MAX_POSITIONS),
  })
  .refine(
    ({ type, category_ids, product_ids }) => type === 'full' || category_ids.length + product_ids.length > 0,
    { error: 'validation.required', path: ['category_ids'] },
  );

export type StocktakeInput = z.output<typeof StocktakeInput>;

/** Returns whether a product is to be counted. */
export type ScopePredicate = (productId: number, kind: ProductTraits) => boolean;

/**
 * Determines the scope of a stocktake. 422 with all failing fields: on references that do not exist or are
 * not open to the caller.
 */
export async function scopeOf(actor: Staff, input: StocktakeInput): Promise<ScopePredicate> {
  const { tenant } = actor;
  const { stock_id, responsible_id, category_ids, product_ids } = input;
  const [[warehouse, responsible, ...cards], all] = await Promise.all([
    getItems([
      warehouses.keyOf(actor, stock_id),
      keyIfAny(responsible_id, (id) => recordKey(users.type, tenant, id)),
      ...product_ids.map((id) => recordKey(products.type, tenant, id)),
    ]),
    category_ids.length > 0 ? categoriesOf(tenant) : new Map<number, never>(),
  ]);
  const issues = new ValidationIssues();
  if (!warehouses.ifVisible(actor, warehouse)) issues.add('stock_id', 'validation.not_found');
  if (responsible_id !== null && !isPresent(responsible))
    issues.add('responsible_id', 'validation.not_found');
  for (const [index, id] of category_ids.entries()) {
    if (!isPresent(all.get(id))) issues.add(`category_ids.${index}`, 'validation.not_found');
  }
  for (const [index, card] of cards.entries()) {
    if (!isPresent(card)) issues.add(`product_ids.${index}`, 'validation.not_found');
  }
  issues.throwIfAny();
  if (input.type === 'full') return () => true;
  const [chosen, named] = [new Set(category_ids), new Set(product_ids)];
  return (productId, { category_id }) =>
    named.has(productId) || categoryAncestors(category_id, all).some((id) => chosen.has(id));
}
