import * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import { isDeletion, requireNoReferences } from '#lib/records/links/references.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { text } from '#lib/values/fields.ts';
import { refuse } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** A region of the country. Decisions, 7, "Region, district". */
export const Region = z.object({ ...recordFields, name: z.string() });

/** Input to make or edit a region. */
export const RegionInput = z.object({ name: text(255) });

type RegionInput = z.output<typeof RegionInput>;

const TYPE = 'region';

/** Record type of regions. */
export const regions: RecordType<typeof Region> = {
  type: TYPE,
  schema: Region,
  filters: { ...platformFilters, name: substring('name') },
  names: ({ name }, home) => [{ path: 'name', scope: home, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) =>
    isDeletion(before, after) ? [requireNoReferences(TYPE, home, after.id, refuse('region.in_use'))] : [],
};

/** The list's query string. */
export const RegionList = listQuery(regions.filters, { sorts: ['id', 'name'], pageSize: 20 });

/** The query string of a single region. */
export const RegionEmbeds = embedQuery({});

const records = recordsOf(regions, ofPlatform);

/** List, get, delete and restore the regions. Deleting one that has districts is 400. */
export const { list, get, remove, restore } = records;

/** Makes a region. 422 on a name that another has. */
export function create(actor: Administrator, input: RegionInput, at: Instant) {
  return records.insert(actor, at, (base) => ({ ...base, ...input }));
}

/** Changes a region. 422 as for a new one. */
export function edit(actor: Administrator, id: number, input: RegionInput, at: Instant) {
  return records.change(actor, id, at, (before) => ({ ...before, ...input }));
}
