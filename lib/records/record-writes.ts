import type * as z from 'zod';
import { insertionNotice } from '#lib/table/change/index-notice.ts';
import { put, putNew, remove as removeItem, replace, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { changeWrites } from '#lib/table/list-index/changes.ts';
import { searchChangeWrites } from '#lib/table/search/state.ts';
import { requireFreshId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { uniqueConstraintWrites } from '#lib/table/transaction/unique-constraints.ts';
import { notFound } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireVersion } from './precondition.ts';
import { findRecord, getRecord, type RecordType, recordSource, type TypedRecordRef } from './record.ts';
import { isDeletion, moveReferences, requireNoReferences } from './references.ts';
import { itemOf, type RecordSchema, type Stored } from './stored.ts';

/** Builds the writes of a new record and its unique names. 422 on a taken name. */
export function insertion<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  record: z.input<S>,
): Write[] {
  requireFreshId(type.type, tenant, record.id);
  const item = itemOf(type, { ...record, ...type.keeps?.(undefined, record) }, 1);
  return [
    ...tenantsOf(type, tenant, record).map((each) => ({
      ...putNew(recordKey(type.type, each, record.id), item),
      ...(each === tenant && insertionNotice(recordSource(type, tenant), record.id)),
    })),
    ...uniqueConstraintWrites(type.type, record.id, [], type.names?.(record, tenant) ?? []),
    ...referenceWrites(type, tenant, undefined, record),
    ...(type.alsoWrites?.(tenant, undefined, record) ?? []),
  ];
}

/** Inserts a new record. 422 on a taken name. */
export async function insertRecord<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  record: z.input<S>,
): Promise<z.input<S>> {
  await transact(insertion(type, tenant, record));
  return record;
}

/** Builds the writes that replace a record as it was read; `Contention` if it has changed since. */
export function replacement<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  before: Stored<S>,
  after: z.input<S>,
): Write[] {
  const item = itemOf(type, { ...after, ...type.keeps?.(before, after) }, before.version + 1);
  const unchanged = { if: equals('version', before.version) };
  const tenantsBefore = tenantsOf(type, tenant, before);
  const tenantsAfter = tenantsOf(type, tenant, after);
  return [
    ...tenantsAfter.map((each) => {
      const key = recordKey(type.type, each, after.id);
      return tenantsBefore.includes(each) ? replace(key, { ...before }, item, unchanged) : put(key, item);
    }),
    ...tenantsBefore
      .filter((each) => !tenantsAfter.includes(each))
      .map((each) => removeItem(recordKey(type.type, each, after.id), unchanged)),
    ...changeWrites(recordSource(type, tenant), before, after),
    ...searchChangeWrites(recordSource(type, tenant), before, after),
    ...uniqueConstraintWrites(
      type.type,
      after.id,
      type.names?.(before, tenant) ?? [],
      type.names?.(after, tenant) ?? [],
    ),
    ...referenceWrites(type, tenant, before, after),
    ...(type.alsoWrites?.(tenant, before, after) ?? []),
  ];
}

function referenceWrites<S extends RecordSchema>(
  { type, references = () => [], inUse }: RecordType<S>,
  tenant: Tenant,
  before: z.input<S> | undefined,
  after: z.input<S>,
): Write[] {
  return [
    ...moveReferences({ type, tenant, id: after.id }, before ? references(before) : [], references(after)),
    ...(inUse && isDeletion(before, after) ? [requireNoReferences(type, tenant, after.id, inUse)] : []),
  ];
}

/**
 * Edits a record that is not deleted: `change` maps the current record to the new one, and is repeated after
 * contention. Nothing is written if it returns the current record itself. 404 for an unknown or deleted
 * record, 412 if the caller has seen another version, 422 on a taken name.
 */
export async function editRecord<S extends RecordSchema>(
  place: TypedRecordRef<S>,
  at: Instant,
  change: (before: Stored<S>) => z.input<S> | Promise<z.input<S>>,
): Promise<z.input<S>> {
  const { type, tenant } = place;
  return retryOnContention(async () => {
    const before = await getRecord(place);
    const changed = await change(before);
    requireVersion(before);
    if (changed === before) return before;
    const after = { ...changed, updated_at: at };
    const further = (await type.furtherWrites?.(tenant, before, after)) ?? [];
    await transact([...replacement(type, tenant, before, after), ...further]);
    return after;
  });
}

/** Restores a deleted record. 404 if it is unknown or not deleted. Contract 1, "Soft-deleted records". */
export async function restoreRecord<S extends RecordSchema>(
  place: TypedRecordRef<S>,
  at: Instant,
): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord(place);
    if (!before?.is_deleted) throw notFound();
    requireVersion(before);
    await transact(
      replacement(place.type, place.tenant, before, { ...before, is_deleted: false, updated_at: at }),
    );
  });
}

function tenantsOf<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  record: z.input<S>,
): Tenant[] {
  return [...new Set([tenant, ...(type.copies?.(record) ?? [])])];
}
