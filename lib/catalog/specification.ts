import * as z from 'zod';
import { companyEmbed } from '#lib/people/company/known.ts';
import { familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { membersEmbed } from '#lib/records/links/members.ts';
import { DEFAULT_PAGE_SIZE, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Localized, localizedName, multilingualText, optionalLocalizedText } from '#lib/values/localized.ts';
import { Option, optionsOfSpecification } from './option.ts';

/** Property of goods, with its options. Part 1, "Reference records". */
export const Specification = z
  .object({
    ...familyRecordFields,
    name: Localized,
    description: Localized,
    options: z.array(Option).optional(),
  })
  // The contract shows no creator of a specification, though one is stored.
  .omit({ creator_id: true, creator: true });

/** Input to create or edit a specification. */
export const SpecificationInput = z.object({
  name: multilingualText(255),
  description: optionalLocalizedText(2000),
});

const { id, company_id, created_at } = familyFilters;

/** Record type of specifications. */
export const specifications: RecordType<typeof Specification> = {
  type: optionsOfSpecification.of,
  copied: 'product.specification',
  pageSize: DEFAULT_PAGE_SIZE,
  schema: Specification,
  filters: { id, company_id, name: substring('name'), created_at },
  embeds: { company: companyEmbed, options: membersEmbed('options', optionsOfSpecification) },
  ...localizedName,
  inUse: badRequest('specification.in_use'),
};

/**
 * Operations on the family's specifications: list, get, create, edit, delete, restore. 422 on a duplicate
 * name in a language; 400 to delete one with options.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(specifications, ofFamily);
