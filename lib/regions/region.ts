import * as z from 'zod';
import { guardDeletion } from '#lib/records/links/references.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { text } from '#lib/values/fields.ts';
import { refuse } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';

/** A region of the country. Decisions, 7, "Region, district". */
export const Region = z.object({ ...recordFields, name: z.string() });

/** Input to make or edit a region. */
export const RegionInput = z.object({ name: text(255) });

const TYPE = 'region';

/** Record type of regions. */
export const regions: RecordType<typeof Region> = {
  type: TYPE,
  schema: Region,
  filters: { ...platformFilters, name: substring('name') },
  names: ({ name }, home) => [{ path: 'name', scope: home, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: guardDeletion(TYPE, refuse('region.in_use')),
};

/** The list's query string. */
export const RegionList = listQuery(regions.filters, { sorts: ['id', 'name'], pageSize: 20 });

/** The query string of a single region. */
export const RegionEmbeds = embedQuery({});

const records = recordsOf(regions, ofPlatform);

/**
 * List, get, make, edit, delete and restore the regions. 422 on a name that another has; deleting one that
 * has districts is 400.
 */
export const { list, get, create, edit, remove, restore } = records;
