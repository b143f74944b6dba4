import type * as z from 'zod';
import type { Write } from '#lib/table/change/write.ts';
import { mergeWrites, withoutErrors } from '#lib/table/change/writes.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import type { RecordType } from './record.ts';
import { insertion } from './record-writes.ts';
import type { RecordSchema } from './stored.ts';

/** Makes a record with an id. */
type Maker<S extends RecordSchema> = (id: number) => z.input<S>;

/**
 * Inserts the records whose unique names are all free, together with other writes, in one transaction.
 * Idempotent: after an interruption it can be repeated.
 */
export async function insertIfAbsent<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  makers: readonly Maker<S>[],
  beside: readonly Write[] = [],
): Promise<void> {
  // If another writer takes a name between the read and the write, both are retried.
  await retryOnContention(async () => {
    const missing = await absentInsertions(type, tenant, makers);
    await transact([...withoutErrors(missing), ...beside]);
  });
}

/**
 * Inserts likewise more records than a transaction holds: one concurrent transaction per group. Draws all ids
 * at once.
 */
export async function insertGroupsIfAbsent<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  groups: readonly (readonly Maker<S>[])[],
): Promise<void> {
  await retryOnContention(async () => {
    const missing = await insertionsOfGroups(type, tenant, groups);
    // All have ended before a retry: its read must see the others' records.
    const ends = await Promise.allSettled(missing.map((writes) => transact(withoutErrors(writes))));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
}

/** Builds the writes of missing records, for a transaction with other writes. */
export async function absentInsertions<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  makers: readonly Maker<S>[],
): Promise<Write[]> {
  const groups = await insertionsOfGroups(type, tenant, [makers]);
  return groups.flat();
}

async function insertionsOfGroups<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  groups: readonly (readonly Maker<S>[])[],
): Promise<Write[][]> {
  const makers = groups.flat();
  const constraints = makers.flatMap((make) =>
    (type.names?.(make(0), tenant) ?? []).map((constraint) => ({ make, constraint })),
  );
  const holders = await ownersOf(
    type.type,
    constraints.map(({ constraint }) => constraint),
  );
  const taken = new Set(constraints.filter((_, at) => holders[at] !== undefined).map(({ make }) => make));
  const missing = makers.filter((make) => !taken.has(make));
  const first = await nextId(type.type, tenant, missing.length);
  const ids = new Map(missing.map((make, index) => [make, first + index]));
  return groups.map((group) =>
    mergeWrites(
      group.flatMap((make) => {
        const id = ids.get(make);
        return id === undefined ? [] : insertion(type, tenant, make(id));
      }),
    ),
  );
}
