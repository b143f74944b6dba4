import * as z from 'zod';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { belongsTo } from '#lib/records/references.ts';
import { recordFields } from '#lib/records/stored.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { District, districts, regionEmbed } from './district.ts';

/** A neighbourhood (mahalla) of a district. Part 1, "Neighbourhoods". */
export const Neighbourhood = z.object({
  ...recordFields,
  district_id: z.int(),
  name: z.string(),
  district: District.nullish(),
});

/** Input to create or edit a neighbourhood. */
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
  sorts: ['id', 'name'],
  embeds: {
    district: sameTenantReference('district', districts.type),
    'district.region': sameTenantReference('district', districts.type, regionEmbed),
  },
  names: ({ district_id, name }, tenant) => [{ path: 'name', scope: `${tenant}#${district_id}`, text: name }],
  ...nameSearchText,
  references: belongsTo('district_id', districts.type),
};

/**
 * List, get, create, edit, delete and restore the neighbourhoods. 422 on a name taken in its district, and on
 * an unknown district.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(
  neighbourhoods,
  ofPlatform,
);
