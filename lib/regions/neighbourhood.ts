import * as z from 'zod';
import { moveUnder } from '#lib/records/links/references.ts';
import { neighbour } from '#lib/records/query/embeds.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { Id, text } from '#lib/values/fields.ts';
import { fold } from '#lib/values/text.ts';
import { District, districts, regionEmbed } from './district.ts';

/** A neighbourhood (mahalla) of a district. Part 1, "Neighbourhoods". */
export const Neighbourhood = z.object({
  ...recordFields,
  district_id: z.int(),
  name: z.string(),
  district: District.nullish(),
});

/** Input to make or edit a neighbourhood. */
export const NeighbourhoodInput = z.object({ district_id: Id, name: text(255) });

/** Record type of neighbourhoods. */
export const neighbourhoods: RecordType<typeof Neighbourhood> = {
  type: 'mfy',
  schema: Neighbourhood,
  filters: {
    id: platformFilters.id,
    district_id: exact('district_id', Id),
    name: substring('name'),
  },
  names: ({ district_id, name }, home) => [{ path: 'name', scope: `${home}#${district_id}`, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) =>
    moveUnder(home, { path: 'district_id', type: districts.type }, before, after),
};

const embeds = {
  district: neighbour('district', districts.type),
  'district.region': neighbour('district', districts.type, regionEmbed),
};

/** The list's query string. */
export const NeighbourhoodList = listQuery(neighbourhoods.filters, {
  sorts: ['id', 'name'],
  embeds,
  pageSize: 20,
});

/** The query string of a single neighbourhood. */
export const NeighbourhoodEmbeds = embedQuery({ embeds });

const records = recordsOf(neighbourhoods, ofPlatform);

/**
 * List, get, make, edit, delete and restore the neighbourhoods. 422 on a name that its district has, and on
 * an unknown district.
 */
export const { list, get, create, edit, remove, restore } = records;
