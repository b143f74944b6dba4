import * as z from 'zod';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';

/** A region of the country. Contract 7, "Region, district". */
export const Region = z.object({ ...recordFields, name: z.string() });

/** Input to create or edit a region. */
export const RegionInput = z.object({ name: text(255) });

/** Record type of regions. */
export const regions: RecordType<typeof Region> = {
  type: 'region',
  schema: Region,
  filters: { ...platformFilters, name: substring('name') },
  sorts: ['id', 'name'],
  ...uniqueName,
  inUse: badRequest('region.in_use'),
};

/**
 * List, get, create, edit, delete and restore the regions. 422 on a taken name; 400 to delete one that has
 * districts.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(regions, ofPlatform);
