import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { familyRecordFields } from '#lib/people/family-record.ts';
import { absentInsertions } from '#lib/records/insert-if-absent.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import { listRecords, type RecordType } from '#lib/records/record.ts';
import { newRecord, ofFamily, ofPlatform } from '#lib/records/records-of.ts';
import { parseStoredKnown, type RecordSchema, recordFields } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { familyTenant, PLATFORM, type Tenant } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { Localized, localizedName, uniqueByLanguage } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';

/** Fields of a platform template, with null company and source. */
export const templateFields = {
  ...recordFields,
  company_id: z.int().nullable(),
  source_id: z.int().nullable(),
  name: Localized,
};

/** Fields of a family's record that may be a copy of a template. */
export const copyableFields = {
  ...familyRecordFields,
  /** Template of a copy; null for the family's own. */
  source_id: z.int().nullable(),
  name: Localized,
};

interface Copyable {
  readonly source_id: number | null;
  readonly name: z.output<typeof Localized>;
}

/**
 * Unique constraints: the names by language, and the template, so that a family has one copy of it. With the
 * search text.
 */
export const copyableName = {
  names: ({ source_id, name }: Copyable, tenant: Tenant): UniqueConstraint[] => [
    ...uniqueByLanguage('name', tenant, name),
    ...(source_id === null ? [] : [templateCopyConstraint(tenant, source_id)]),
  ],
  folded: localizedName.folded,
};

/** Templates of the platform, for administrators. */
export const asTemplates = { ...ofPlatform, stampOf: () => ({ company_id: null, source_id: null }) };

/** A family's records, for its staff: those they create are the family's own. */
export const asOwn = {
  ...ofFamily,
  stampOf: (actor: Staff) => ({ ...ofFamily.stampOf(actor), source_id: null }),
};

/**
 * Returns the unique constraint of a template's copy in its family, which does not depend on the copy's name.
 */
export function templateCopyConstraint(tenant: Tenant, templateId: number): UniqueConstraint {
  return { path: 'source_id', scope: tenant, text: String(templateId) };
}

/**
 * Returns functions that build a family's copies of templates from their ids, with the template's fields that
 * the type has.
 */
export function copiesOf<S extends RecordSchema>(
  templates: readonly { readonly id: number }[],
  { schema }: RecordType<S>,
  companyId: number,
  at: Instant,
) {
  return templates.map(
    (template) => (id: number) =>
      parseStoredKnown(schema, {
        ...template,
        ...newRecord({ id: 0, companyId }, id, at),
        creator_id: null,
        source_id: template.id,
      }),
  );
}

/** Builds the writes of a new family's copies of the templates of a type. */
export async function firstCopies<T extends RecordSchema, S extends RecordSchema>(
  templates: RecordType<T>,
  type: RecordType<S>,
  companyId: number,
  at: Instant,
): Promise<Write[]> {
  const { rows } = await listRecords(templates, PLATFORM, wholeList([equals('is_deleted', false)]));
  return absentInsertions(type, familyTenant(companyId), copiesOf(rows, type, companyId, at));
}
