import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import {
  externalIdConstraints,
  externalIdField,
  externalIdFilter,
  externalIdInput,
} from '#lib/records/external-id.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { parentOf, treeMove } from '#lib/records/references.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { Localized, localizedName, multilingualOrOne, multilingualText } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';

/** Category of goods, optionally with a parent. Contract 7, "Category". */
export const Category = z.object({
  ...familyRecordFields,
  ...externalIdField,
  name: Localized,
  parent_id: z.int().nullable(),
});

/** Input to create or edit a category. */
export const CategoryInput = z.object({
  name: multilingualText(255),
  parent_id: orNull(Id),
  ...externalIdInput,
});

type CategoryInput = z.output<typeof CategoryInput>;

/** Input to create one from within another form: one text serves for every language. */
export const CategoryName = z.object({ name: multilingualOrOne(255) });

/** Category as in Part 1, "Shared helper methods". */
export const NamedCategory = Category.pick({
  name: true,
  updated_at: true,
  created_at: true,
  company_id: true,
  parent_id: true,
  id: true,
  is_deleted: true,
}).extend({ lft: z.int(), rgt: z.int() });

const TYPE = 'category';

/** Record type of categories. */
export const categories: RecordType<typeof Category> = {
  type: TYPE,
  copied: 'product.category',
  schema: Category,
  filters: {
    ...familyFilters,
    ...externalIdFilter,
    name: substring('name'),
    parent_id: exact('parent_id', Id),
  },
  embeds: familyEmbeds,
  ...localizedName,
  names: (category, tenant) => [
    ...localizedName.names(category, tenant),
    ...externalIdConstraints(category, tenant),
  ],
  inUse: badRequest('category.in_use'),
  references: (category) => parentOf(TYPE, category),
  furtherWrites: (tenant, before, after) => treeMove(TYPE, tenant, before, after),
};

/**
 * Operations on the family's categories: list, get, create, edit, delete, restore. 422 on a duplicate name in
 * a language, on an unknown parent, and on one among the category's descendants; 400 to delete one with
 * categories or goods.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(categories, ofFamily);

/**
 * Creates a category from a name alone, without a parent. The response shows it as a last leaf, which is not
 * stored. 422 as in `create`.
 */
export async function createNamedCategory(actor: Staff, name: CategoryInput['name'], at: Instant) {
  const category = await create(actor, { name, parent_id: null }, at);
  return { ...category, lft: 2 * category.id - 1, rgt: 2 * category.id };
}
