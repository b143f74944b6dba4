import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { companyEmbed } from '#lib/people/company/record.ts';
import { familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { membersEmbed } from '#lib/records/links/members.ts';
import { isDeletion, requireNoReferences } from '#lib/records/links/references.ts';
import { substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import {
  claimsByLanguage,
  foldEach,
  Localized,
  multilingualText,
  optionalLocalizedText,
} from '#lib/values/localized.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { Option, optionsOfSpecification } from './option.ts';

// The contract names no maker of a specification, though one is held.
const { creator_id: _, creator: __, ...recordFields } = familyRecordFields;

/** A property of goods, with its options. Part 1, "Reference records". */
export const Specification = z.object({
  ...recordFields,
  name: Localized,
  description: Localized,
  options: z.array(Option).optional(),
});

/** Input to make or edit a specification. */
export const SpecificationInput = z.object({
  name: multilingualText(255),
  description: optionalLocalizedText(2000),
});

type SpecificationInput = z.output<typeof SpecificationInput>;

const { id, company_id, created_at } = familyFilters;

const TYPE = optionsOfSpecification.of;

const specifications: RecordType<typeof Specification> = {
  type: TYPE,
  schema: Specification,
  filters: { id, company_id, name: substring('name'), created_at },
  names: ({ name }, home) => claimsByLanguage('name', home, name),
  folded: ({ name }) => ({ name: foldEach(name) }),
  alsoWrites: (home, before, after) =>
    isDeletion(before, after)
      ? [requireNoReferences(TYPE, home, after.id, refuse('specification.in_use'))]
      : [],
};

const embeds = { company: companyEmbed, options: membersEmbed('options', optionsOfSpecification) };

/** The list's query string. */
export const SpecificationList = listQuery(specifications.filters, { sorts: ['id'], embeds, pageSize: 20 });

/** The query string of a single specification. */
export const SpecificationEmbeds = embedQuery({ embeds });

const records = recordsOf(specifications, ofFamily);

/** List, get, delete and restore the family's specifications. Deleting one that has options is 400. */
export const { list, get, remove, restore } = records;

/** Makes a specification. 422 on a name that the family has in that language. */
export function create(actor: Staff, input: SpecificationInput, at: Instant) {
  return records.insert(actor, at, (base) => ({ ...base, ...input }));
}

/** Changes a specification. 422 as for a new one. */
export function edit(actor: Staff, id: number, input: SpecificationInput, at: Instant) {
  return records.change(actor, id, at, (before) => ({ ...before, ...input }));
}
