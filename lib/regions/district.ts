import * as z from 'zod';
import { guardDeletion, moveUnder } from '#lib/records/links/references.ts';
import { neighbour } from '#lib/records/query/embeds.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { Id, text } from '#lib/values/fields.ts';
import { refuse } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import { Region, regions } from './region.ts';

/** A district of a region. Decisions, 7, "Region, district". */
export const District = z.object({
  ...recordFields,
  region_id: z.int(),
  name: z.string(),
  region: Region.nullish(),
});

/** Input to make or edit a district. */
export const DistrictInput = z.object({ region_id: Id, name: text(255) });

const TYPE = 'district';

/** Record type of districts. */
export const districts: RecordType<typeof District> = {
  type: TYPE,
  schema: District,
  filters: { ...platformFilters, region_id: exact('region_id', Id), name: substring('name') },
  names: ({ region_id, name }, home) => [{ path: 'name', scope: `${home}#${region_id}`, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) => [
    ...moveUnder(home, { path: 'region_id', type: regions.type }, before, after),
    ...guardDeletion(TYPE, refuse('district.in_use'))(home, before, after),
  ],
};

/** `with[]=region`: the region of a district. */
export const regionEmbed = neighbour('region', regions.type);

const embeds = { region: regionEmbed };

/** The list's query string. */
export const DistrictList = listQuery(districts.filters, { sorts: ['id', 'name'], embeds, pageSize: 20 });

/** The query string of a single district. */
export const DistrictEmbeds = embedQuery({ embeds });

const records = recordsOf(districts, ofPlatform);

/**
 * List, get, make, edit, delete and restore the districts. 422 on a name that its region has, and on an
 * unknown region; deleting one that has neighbourhoods or companies is 400.
 */
export const { list, get, create, edit, remove, restore } = records;
