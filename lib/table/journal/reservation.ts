import type { Reservation } from '#lib/table/call-scope.ts';
import type { Target } from '#lib/table/change/change.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getRawItems, withoutLock } from '#lib/table/items.ts';
import { addressOf } from '#lib/table/keys.ts';
import { GuardsFailed } from './contention.ts';
import { abort, commit, finish, keysOfWrites, newId, orAbort } from './outcome.ts';
import { scheduleRecovery } from './recovery.ts';
import { openJournal, recordTargets } from './store.ts';
import { measure, takeAll, takeInTurn } from './take.ts';

/** Takes the items of checks before their changes are known. `GaveWay` if an older journal wants them. */
export async function reserve(checks: readonly Write[], born: number): Promise<Reservation> {
  const id = newId(born);
  const keys = keysOfWrites(checks);
  await orAbort(id, keys, async () => {
    const [measured] = await Promise.all([
      measure(checks),
      recordTargets(id, 'reserved', checks),
      openJournal(id),
      scheduleRecovery(id),
    ]);
    await takeInTurn(id, measured);
  });
  return { id, keys, seen: new Map() };
}

/**
 * Makes the writes that rest on what was read under a reservation, all or none. Either way the reservation is
 * over.
 */
export async function runReserved({ id, keys, seen }: Reservation, writes: readonly Write[]): Promise<void> {
  const reserved = new Set(keys.map(addressOf));
  const isReserved = ({ key }: Target) => reserved.has(addressOf(key));
  const isOther = (write: Target) => !isReserved(write);
  const [measured, chunks] = await orAbort(
    id,
    [...keys, ...keysOfWrites(writes.filter(isOther))],
    async () => {
      const prepared = await Promise.all([
        measure(writes),
        recordTargets(id, 'chunk', writes),
        requireGuards(writes.filter(isReserved), seen),
      ]);
      await takeAll(id, prepared[0].filter(isOther));
      return prepared;
    },
  );
  await commit(id, chunks);
  const written = new Set(keysOfWrites(writes).map(addressOf));
  await finish(
    id,
    measured,
    keys.filter((key) => !written.has(addressOf(key))),
  );
}

/** Gives back a reservation under which nothing was written. */
export async function releaseReservation({ id, keys }: Reservation): Promise<void> {
  await abort(id, keys);
}

/**
 * Requires the guards of writes to reserved items, which nothing can change any more: those that the work has
 * read are as it has seen them.
 */
async function requireGuards(writes: readonly Write[], seen: Reservation['seen']): Promise<void> {
  const guarded = writes.flatMap(({ key, guard }) =>
    guard ? [{ key, guard, own: seen.get(addressOf(key)) }] : [],
  );
  const others = await getRawItems(guarded.map(({ key, own }) => (own ? undefined : key)));
  const isMet = guarded.every(({ guard, own }, index) =>
    guard.if.matches(withoutLock(own ?? others[index]) ?? {}),
  );
  if (!isMet) throw new GuardsFailed();
}
