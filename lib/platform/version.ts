import * as z from 'zod';
import type { Administrator } from '#lib/auth/actor.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { text } from '#lib/values/fields.ts';
import { Localized, multilingualText } from '#lib/values/localized.ts';
import { normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

const Project = enumeration('version.project', ['base', 'credit', 'fintech', 'hr', 'core']);

const StoredVersion = z.object({
  ...recordFields,
  /** Its text, not named `version`, as that attribute counts the changes of every record. */
  release: z.string(),
  project: Project,
  description: Localized,
});

const Shown = z.string().meta({ description: 'Y-m-d H:i:s' });

/** Release notes of a version of a project. Part 1, "Version log". */
export const Version = StoredVersion.transform(({ release, ...rest }) => ({
  ...rest,
  version: release,
})).pipe(
  z.object({
    ...recordFields,
    created_at: Shown,
    updated_at: Shown,
    project: Project,
    description: Localized,
    version: z.string(),
  }),
);

/** Input to create or edit a version. */
export const VersionInput = z.object({
  version: text(255),
  project: Project,
  // The contract sets no limit; a record must stay far below the limit of an item.
  description: multilingualText(10_000),
});

type VersionInput = z.output<typeof VersionInput>;

const versions: RecordType<typeof StoredVersion> = {
  type: 'version',
  schema: StoredVersion,
  filters: {
    id: platformFilters.id,
    version: substring('release'),
    project: exact('project', Project),
  },
  sorts: ['id', 'version'],
  names: ({ release, project }, tenant) => [
    { path: 'version', scope: `${tenant}#${project}`, text: release },
  ],
  folded: ({ release }) => ({ release: normalizeText(release) }),
};

const records = recordsOf(versions, ofPlatform);

/** List, get, delete and restore the versions. */
export const { Embeds, list, get, remove, restore } = records;

/** Query string of the list. */
export const VersionList = records.List.transform(
  ({ sort, ...query }): ListQuery => ({
    ...query,
    sort: sort.field === 'version' ? { ...sort, field: 'release' } : sort,
  }),
);

/** Creates a version. 422 on one that its project has. */
export function create(actor: Administrator, { version: release, ...input }: VersionInput, at: Instant) {
  return records.insert(actor, at, (base) => ({ ...base, ...input, release }));
}

/** Edits a version. 422 as for a new one. */
export function edit(
  actor: Administrator,
  id: number,
  { version: release, ...input }: VersionInput,
  at: Instant,
) {
  return records.change(actor, id, at, (before) => ({ ...before, ...input, release }));
}
