import type * as z from 'zod';
import type { Write } from '#lib/table/change/write.ts';
import { mergeWrites, withoutRefusals } from '#lib/table/change/writes.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ownersOf } from '#lib/table/transaction/names.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { RecordType } from './record.ts';
import { insertion } from './record-writes.ts';
import type { RecordSchema } from './stored.ts';

/** Makes a record from its id. */
type Maker<S extends RecordSchema> = (id: number) => z.input<S>;

/**
 * Makes those records, in one transaction, none of whose unique names is taken yet. If it breaks off it can
 * simply be repeated, as it makes nothing twice.
 */
export async function insertMissing<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  makers: readonly Maker<S>[],
): Promise<void> {
  // If someone takes a name between the look and the write, all of it starts again with a new look.
  await retryOnContention(async () => transact(withoutRefusals(await missingInsertions(type, home, makers))));
}

/** Builds the writes of that, for a transaction with more writes. */
export async function missingInsertions<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  makers: readonly Maker<S>[],
): Promise<Write[]> {
  const claims = makers.flatMap((make, index) =>
    (type.names?.(make(0), home) ?? []).map((claim) => ({ index, claim })),
  );
  const holders = await ownersOf(
    type.type,
    claims.map(({ claim }) => claim),
  );
  const taken = new Set(claims.filter((_, at) => holders[at] !== undefined).map(({ index }) => index));
  const missing = makers.filter((_, index) => !taken.has(index));
  if (missing.length === 0) return [];
  const first = await nextId(type.type, home, missing.length);
  return mergeWrites(missing.flatMap((make, index) => insertion(type, home, make(first + index))));
}
