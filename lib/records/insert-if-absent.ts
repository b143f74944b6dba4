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

/** Makes a record from its id. */
type Maker<S extends RecordSchema> = (id: number) => z.input<S>;

/**
 * Makes those records, in one transaction, none of whose unique names is taken yet, and writes what else is
 * given in it. If it breaks off it can simply be repeated, as it makes nothing twice.
 */
export async function insertIfAbsent<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  makers: readonly Maker<S>[],
  beside: readonly Write[] = [],
): Promise<void> {
  // If someone takes a name between the look and the write, all of it starts again with a new look.
  await retryOnContention(async () => {
    const missing = await absentInsertions(type, tenant, makers);
    await transact([...withoutErrors(missing), ...beside]);
  });
}

/**
 * Makes those of more records than fit a transaction: each group in one, side by side. Their ids are drawn
 * at once.
 */
export async function insertGroupsIfAbsent<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  groups: readonly (readonly Maker<S>[])[],
): Promise<void> {
  await retryOnContention(async () => {
    const missing = await insertionsOfGroups(type, tenant, groups);
    // Each has ended before one is tried again: the new look must see what the others have made.
    const ends = await Promise.allSettled(missing.map((writes) => transact(withoutErrors(writes))));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
}

/** Builds the writes of missing records, for a transaction with more writes. */
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
  const claims = makers.flatMap((make) =>
    (type.names?.(make(0), tenant) ?? []).map((claim) => ({ make, claim })),
  );
  const holders = await ownersOf(
    type.type,
    claims.map(({ claim }) => claim),
  );
  const taken = new Set(claims.filter((_, at) => holders[at] !== undefined).map(({ make }) => make));
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
