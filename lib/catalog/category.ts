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

/** A category of goods, which may stand under another. Contract 7, "Category". */
export const Category = z.object({
  ...familyRecordFields,
  ...externalIdField,
  name: Localized,
  parent_id: z.int().nullable(),
});

/** Input to make or edit a category. */
export const CategoryInput = z.object({
  name: multilingualText(255),
  parent_id: orNull(Id),
  ...externalIdInput,
});

type CategoryInput = z.output<typeof CategoryInput>;

/** Input to make one while another form is filled in: one text stands for every language. */
export const CategoryName = z.object({ name: multilingualOrOne(255) });

/** Such a category, as Part 1, "Shared helper methods", shows it. */
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
 * List, get, make, edit, delete and restore the family's categories. 422 on a name that the family has in
 * that language, on a parent that it doesn't have, and on one that is under the category. Deleting one that
 * has categories or goods is 400.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(categories, ofFamily);

/**
 * Makes a category of a name alone, without a parent. It is shown as a last leaf, which no record stores. 422
 * as for any.
 */
export async function createNamedCategory(actor: Staff, name: CategoryInput['name'], at: Instant) {
  const category = await create(actor, { name, parent_id: null }, at);
  return { ...category, lft: 2 * category.id - 1, rgt: 2 * category.id };
}
