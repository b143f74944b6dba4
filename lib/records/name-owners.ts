import type * as z from 'zod';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { ApiError, NameConflict } from '#lib/values/api-error.ts';
import type { RecordType } from './record.ts';
import { parseRecord, type RecordSchema, type Stored } from './stored.ts';

/** A rejected record, and its tenant. */
interface RejectedRecord<S extends RecordSchema> {
  readonly type: RecordType<S>;
  readonly tenant: Tenant;
  readonly record: z.input<S>;
  /** Returns true if the caller may see a record, deleted or not. */
  readonly mayKnow: (record: Stored<S>) => boolean;
}

/**
 * Adds the owners of taken names to an error, so that a client can show or restore them. Returns other errors
 * unchanged, as well as those about records out of the caller's reach. Two round trips.
 */
export async function withNameOwners<S extends RecordSchema>(
  error: unknown,
  { type, tenant, record, mayKnow }: RejectedRecord<S>,
): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  const constraints = (type.names?.(record, tenant) ?? []).filter(
    ({ path, reportedAt = path }) => error.fields[reportedAt]?.key === 'validation.taken',
  );
  if (constraints.length === 0) return error;
  const ids = await ownersOf(type.type, constraints);
  const items = await getItems(
    ids.map((id) => (id === undefined ? undefined : recordKey(type.type, tenant, id))),
  );
  const owners = constraints.flatMap(({ path, reportedAt = path }, index) => {
    const item = items[index];
    const owner = item && parseRecord(type.schema, item);
    if (!owner || !mayKnow(owner)) return [];
    return [[reportedAt, { id: owner.id, is_deleted: owner.is_deleted }] as const];
  });
  return owners.length > 0 ? new NameConflict(error.fields, Object.fromEntries(owners)) : error;
}
