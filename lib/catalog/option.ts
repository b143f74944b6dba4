import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { type Members, moveMember } from '#lib/records/links/members.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { belongsTo, ownerOf } from '#lib/records/references.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';

/** Possible value of a specification. Part 1, "Specifications"; Contract 7, "Option". */
export const Option = z.object({ ...familyRecordFields, specification_id: z.int(), name: z.string() });

/** Input to create or edit an option. */
export const OptionInput = z.object({ specification_id: Id, name: text(255) });

/** Options of each specification. */
export const optionsOfSpecification: Members = { of: 'specification', type: 'option' };

const FIELD = 'specification_id';

/** Record type of options. */
export const options: RecordType<typeof Option> = {
  type: optionsOfSpecification.type,
  copied: 'product.option',
  schema: Option,
  filters: { ...familyFilters, specification_id: exact('specification_id', Id), name: substring('name') },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  names: ({ specification_id, name }, tenant) => [
    { path: 'name', scope: `${tenant}#${specification_id}`, text: name },
  ],
  ...nameSearchText,
  references: belongsTo(FIELD, optionsOfSpecification.of),
  alsoWrites: (tenant, before, after) =>
    moveMember(optionsOfSpecification, tenant, after.id, {
      from: ownerOf(FIELD, before),
      to: ownerOf(FIELD, after),
    }),
};

/**
 * Operations on the family's options: list, get, create, edit, delete, restore. 422 on a duplicate name in
 * the specification, and on an unknown specification.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(options, ofFamily);
