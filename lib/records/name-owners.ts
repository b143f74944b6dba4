import type * as z from 'zod';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { ApiError, NameConflict } from '#lib/values/api-error.ts';
import type { RecordType } from './record.ts';
import { parseRecord, type RecordSchema, type Stored } from './stored.ts';

/** A refused record, and its place. */
interface Refused<S extends RecordSchema> {
  readonly type: RecordType<S>;
  readonly tenant: Tenant;
  readonly record: z.input<S>;
  /** Tells whether the caller may know of a record, deleted or not. */
  readonly mayKnow: (record: Stored<S>) => boolean;
}

/**
 * Adds to a refusal which records have the names that are taken, so that a screen can show or restore these.
 * An error that is no such refusal stays the same, and so does one of a record out of the caller's reach. Two
 * round trips.
 */
export async function withNameOwners<S extends RecordSchema>(
  error: unknown,
  { type, tenant, record, mayKnow }: Refused<S>,
): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  const claims = (type.names?.(record, tenant) ?? []).filter(
    ({ path }) => error.fields[path]?.key === 'validation.taken',
  );
  if (claims.length === 0) return error;
  const ids = await ownersOf(type.type, claims);
  const items = await getItems(
    ids.map((id) => (id === undefined ? undefined : recordKey(type.type, tenant, id))),
  );
  const owners = claims.flatMap(({ path }, index) => {
    const item = items[index];
    const owner = item && parseRecord(type.schema, item);
    if (!owner || !mayKnow(owner)) return [];
    return [[path, { id: owner.id, is_deleted: owner.is_deleted }] as const];
  });
  return owners.length > 0 ? new NameConflict(error.fields, Object.fromEntries(owners)) : error;
}
