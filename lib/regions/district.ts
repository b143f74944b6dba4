import * as z from 'zod';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { belongsTo } from '#lib/records/references.ts';
import { recordFields } from '#lib/records/stored.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { Region, regions } from './region.ts';

/** A district of a region. Contract 7, "Region, district". */
export const District = z.object({
  ...recordFields,
  region_id: z.int(),
  name: z.string(),
  region: Region.nullish(),
});

/** Input to create or edit a district. */
export const DistrictInput = z.object({ region_id: Id, name: text(255) });

/** `with[]=region`: the region of a district. */
export const regionEmbed = sameTenantReference('region', regions.type);

/** Record type of districts. */
export const districts: RecordType<typeof District> = {
  type: 'district',
  schema: District,
  filters: { ...platformFilters, region_id: exact('region_id', Id), name: substring('name') },
  sorts: ['id', 'name'],
  embeds: { region: regionEmbed },
  names: ({ region_id, name }, tenant) => [{ path: 'name', scope: `${tenant}#${region_id}`, text: name }],
  ...nameSearchText,
  inUse: badRequest('district.in_use'),
  references: belongsTo('region_id', regions.type),
};

/**
 * List, get, create, edit, delete and restore the districts. 422 on a name taken in its region, and on an
 * unknown region; 400 to delete one that has neighbourhoods or companies.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(districts, ofPlatform);
