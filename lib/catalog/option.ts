import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { type Members, moveMember } from '#lib/records/links/members.ts';
import { moveUnder, ownerOf } from '#lib/records/links/references.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { Id, text } from '#lib/values/fields.ts';
import { fold } from '#lib/values/text.ts';

/** A value that a specification may have. Part 1, "Specifications"; Decisions, 7, "Option". */
export const Option = z.object({ ...familyRecordFields, specification_id: z.int(), name: z.string() });

/** Input to make or edit an option. */
export const OptionInput = z.object({ specification_id: Id, name: text(255) });

/** The options of each specification. */
export const optionsOfSpecification: Members = { of: 'specification', type: 'option' };

const FIELD = 'specification_id';

const options: RecordType<typeof Option> = {
  type: optionsOfSpecification.type,
  schema: Option,
  filters: { ...familyFilters, specification_id: exact('specification_id', Id), name: substring('name') },
  names: ({ specification_id, name }, home) => [
    { path: 'name', scope: `${home}#${specification_id}`, text: name },
  ],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) => [
    ...moveUnder(home, { path: FIELD, type: optionsOfSpecification.of }, before, after),
    ...moveMember(optionsOfSpecification, home, after.id, {
      from: ownerOf(FIELD, before),
      to: ownerOf(FIELD, after),
    }),
  ],
};

/** The list's query string. */
export const OptionList = listQuery(options.filters, {
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  pageSize: 20,
});

/** The query string of a single option. */
export const OptionEmbeds = embedQuery({ embeds: familyEmbeds });

const records = recordsOf(options, ofFamily);

/**
 * List, get, make, edit, delete and restore the family's options. 422 on a name that its specification has,
 * and on a specification that the family doesn't have.
 */
export const { list, get, create, edit, remove, restore } = records;
