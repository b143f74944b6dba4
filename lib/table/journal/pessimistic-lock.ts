import type { Target } from '#lib/table/change/change.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getRawItems, withoutLock } from '#lib/table/items.ts';
import { addressOf } from '#lib/table/keys.ts';
import type { PessimisticLock } from '#lib/table/request-context.ts';
import { underLock } from './apply.ts';
import { ConditionsFailed } from './contention.ts';
import { inReverse, lockItems, lockItemsInTurn, measure, splitCommitWrites } from './lock-items.ts';
import { abort, abortOnFailure, commitOrAbort, finish, keysOfWrites, newId } from './outcome.ts';
import { scheduleRecovery } from './recovery.ts';
import { openJournal, recordTargets } from './store.ts';

/**
 * Acquires a pessimistic lock on the items of checks. Throws `YieldedToOlder` if an older journal needs them.
 */
export async function lockAhead(checks: readonly Write[], born: number): Promise<PessimisticLock> {
  const id = newId(born);
  const keys = keysOfWrites(checks);
  await abortOnFailure(id, keys, async () => {
    const [measured] = await Promise.all([
      measure(checks),
      recordTargets(id, 'reserved', checks),
      openJournal(id),
      scheduleRecovery(id),
    ]);
    await lockItemsInTurn(id, measured);
  });
  return { id, keys, seen: new Map() };
}

/**
 * Executes writes that are based on data read under a pessimistic lock, all or none. Either way the lock is
 * released.
 */
export async function runUnderLock(
  { id, keys, seen }: PessimisticLock,
  writes: readonly Write[],
): Promise<void> {
  const reserved = new Set(keys.map(addressOf));
  const isReserved = ({ key }: Target) => reserved.has(addressOf(key));
  const isOther = (write: Target) => !isReserved(write);
  const own = writes.filter(isReserved);
  const changed = own.filter(({ change }) => change.kind !== 'check');
  const others = writes.filter(isOther);
  // Writes that are part of the commit need no lock first, so items already locked go last.
  const { direct, before } = splitCommitWrites([...inReverse(others), ...changed]);
  const taken = [...keys, ...keysOfWrites(before.filter(isOther))];
  const { measured, chunks } = await abortOnFailure(id, taken, async () => {
    const [measured, chunks] = await Promise.all([
      measure(before),
      recordTargets(id, 'chunk', before),
      requireGuards(own, seen),
    ]);
    await lockItems(id, measured.filter(isOther));
    return { measured, chunks };
  });
  await commitOrAbort(id, taken, {
    chunks,
    direct: direct.map((write) => (isReserved(write) ? underLock(id, write) : write)),
  });
  const written = new Set(keysOfWrites([...others, ...changed]).map(addressOf));
  await finish(
    id,
    measured,
    keys.filter((key) => !written.has(addressOf(key))),
  );
}

/** Releases a pessimistic lock without writes. */
export async function releasePessimisticLock({ id, keys }: PessimisticLock): Promise<void> {
  await abort(id, keys);
}

/**
 * Requires the guards of writes to locked items, which can't change any more: `seen` has the current state of
 * those that the work has read.
 */
async function requireGuards(writes: readonly Write[], seen: PessimisticLock['seen']): Promise<void> {
  const guarded = writes.flatMap(({ key, guard }) =>
    guard ? [{ key, guard, own: seen.get(addressOf(key)) }] : [],
  );
  const others = await getRawItems(guarded.map(({ key, own }) => (own ? undefined : key)));
  const isMet = guarded.every(({ guard, own }, index) =>
    guard.if.matches(withoutLock(own ?? others[index]) ?? {}),
  );
  if (!isMet) throw new ConditionsFailed();
}
