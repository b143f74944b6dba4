import * as z from 'zod';
import { companyEmbed } from '#lib/people/company/record.ts';
import { familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { membersEmbed } from '#lib/records/links/members.ts';
import { guardDeletion } from '#lib/records/links/references.ts';
import { substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { Localized, localizedName, multilingualText, optionalLocalizedText } from '#lib/values/localized.ts';
import { refuse } from '#lib/values/refusal.ts';
import { Option, optionsOfSpecification } from './option.ts';

/** A property of goods, with its options. Part 1, "Reference records". */
export const Specification = z
  .object({
    ...familyRecordFields,
    name: Localized,
    description: Localized,
    options: z.array(Option).optional(),
  })
  // The contract names no maker of a specification, though one is held.
  .omit({ creator_id: true, creator: true });

/** Input to make or edit a specification. */
export const SpecificationInput = z.object({
  name: multilingualText(255),
  description: optionalLocalizedText(2000),
});

const { id, company_id, created_at } = familyFilters;

const TYPE = optionsOfSpecification.of;

const specifications: RecordType<typeof Specification> = {
  type: TYPE,
  schema: Specification,
  filters: { id, company_id, name: substring('name'), created_at },
  ...localizedName,
  alsoWrites: guardDeletion(TYPE, refuse('specification.in_use')),
};

const embeds = { company: companyEmbed, options: membersEmbed('options', optionsOfSpecification) };

/** The list's query string. */
export const SpecificationList = listQuery(specifications.filters, { sorts: ['id'], embeds, pageSize: 20 });

/** The query string of a single specification. */
export const SpecificationEmbeds = embedQuery({ embeds });

const records = recordsOf(specifications, ofFamily);

/**
 * List, get, make, edit, delete and restore the family's specifications. 422 on a name that the family has in
 * that language; deleting one that has options is 400.
 */
export const { list, get, create, edit, remove, restore } = records;
