import { randomUUID } from 'node:crypto';
import { backOff, isBusy } from '#lib/table/busy.ts';
import type { Reservation } from '#lib/table/call-scope.ts';
import type { Target } from '#lib/table/change/change.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getRawItems, withoutLock } from '#lib/table/items.ts';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { applyAll } from './apply.ts';
import { GaveWay, GuardsFailed } from './contention.ts';
import { releaseAll, scheduleRecovery } from './recovery.ts';
import { closeJournal, openJournal, readHeader, recordTargets, turnAborted, turnCommitted } from './store.ts';
import { type MeasuredWrite, measure, takeAll, takeInTurn } from './take.ts';

/*
 * Transactions of any size: all or nothing for every reader at every moment, across a crash at any step.
 *
 * A journal is a header and its changes, in a partition of its own. It goes through these steps:
 *
 * 1. record   the header, `preparing`, with a lease; and the changes, in chunks that tell whoever ends the
 *             journal what it may have taken.
 * 2. take     every target, a batch at a time. One native transaction requires the header to be `preparing`
 *             and renews the lease. On each target it requires "no lock" and the write's own guard, and sets
 *             the lock. A target that does not exist yet becomes a placeholder: an item with only the lock.
 * 3. commit   one conditional write turns the header from `preparing` to `committed`: the point of no return.
 * 4. apply    every change to its target, a hundred to a call (`apply.ts`). Each write requires the journal's
 *             own lock and drops it. The call is a native transaction only because that takes the least work:
 *             nothing rests on it, and if it fails each of them goes by itself.
 * 5. close    the header. The journal expires three months later.
 *
 * An abort turns the header from `preparing` to `aborted`, drops the locks and the placeholders, and closes.
 * A worker, told by a delayed message, ends a journal whose owner died and that nobody has met.
 *
 * A reservation takes first and reads then: step 2 comes before the changes are known, under no guard but "no
 * lock". What is read afterwards can't change any more. So a large document comes through at once beside
 * small ones that change its items all the time. What it has not reserved is recorded and taken as above once
 * it is known. Whoever reads an item that a journal is about to change, and wants to write many, reserves at
 * once: what was read would be stale.
 *
 * Why it is right.
 * - One outcome: `committed` and `aborted` are both reached from `preparing` by a conditional write, so one
 *   wins. Only the owner commits, and an ended journal is kept. So if an owner is told that its commit did
 *   not apply, and then finds `committed`, it has committed and only the answer was lost. The header is put
 *   under "not there", so that a request that comes late or twice does not turn it back.
 * - Nothing is taken late: a batch of takes is atomic with "the header is `preparing`". So after the commit
 *   or an abort no lock of that journal can appear, even if requests come late or twice. An item without its
 *   lock is done for good. (That is why the lock is set in a transaction. By itself it would cost half, but a
 *   request that comes twice could take an item that the journal has already changed, and the change would be
 *   made again.)
 * - Nothing is taken unrecorded: every item is written down, reserved or with its change, before it is taken.
 *   So whoever ends the journal, the worker too, finds all its locks and placeholders, and a lock of a closed
 *   journal means a defect.
 * - Guards hold at the commit: between the take and the end no other write touches a target, as every write
 *   in the table, native or journaled, requires "no lock".
 * - Anyone may finish: apply and drop require the journal's own lock, so each happens once, whoever does it
 *   and however often it is tried. After a crash before the commit, any passer-by rolls back once the lease
 *   is over; after a later one, any passer-by finishes. Each heals the items that stood in its way
 *   (`recovery.ts`). An item's change is found by its address, so this takes the same time however large the
 *   journal is.
 * - Nothing fails after the point of no return: what can't be applied at once is left to passers-by and the
 *   worker. What the table would not accept was refused before anything was taken (`take.ts`).
 * - All or nothing for readers: a reader who meets a lock asks the header. If it is `preparing` or `aborted`,
 *   the item without its lock is the state before the transaction, which is the state at that moment. If it
 *   is `committed`, the reader sees the item as its change will make it (`get.ts`). If it is closed, the
 *   item is read again, and is free by then. So once anyone has seen one change through a lock, everyone
 *   sees all of them, and readers write nothing. As with DynamoDB's own transactions, a reader of several
 *   items sees each as it was at some moment of the read, and these moments may differ.
 * - No deadlock: if two journals want each other's targets, the older waits. The younger aborts itself and
 *   starts again with its old age, so the oldest always gets through. There are no locks but those on the
 *   targets.
 * - First come, first served: a reservation that has taken nothing yet waits for the journal in its way, as
 *   nobody waits for it. It queues beside that journal's header, and after the end the older go first
 *   (`turn.ts`). Who dies in a queue delays the next by a tenth of a second.
 */

/** How often a commit is tried if its answer does not come. */
const COMMITS = 10;

/** Makes any number of writes, all or none. `born` is the time of the first try: the older goes first. */
export async function runJournaled(writes: readonly Write[], born: number): Promise<void> {
  const id = newId(born);
  const [measured, chunks] = await orAbort(id, keysOf(writes), async () => {
    const prepared = await Promise.all([
      measure(writes),
      recordTargets(id, 'chunk', writes),
      openJournal(id),
      scheduleRecovery(id),
    ]);
    await takeAll(id, prepared[0]);
    return prepared;
  });
  await commit(id, chunks);
  await finish(id, measured, []);
}

/** Takes items before their changes are known. `GaveWay` if an older journal wants them. */
export async function reserve(keys: readonly Key[], born: number): Promise<Reservation> {
  const id = newId(born);
  const targets = keys.map((key): Target => ({ key, change: { kind: 'check' } }));
  await orAbort(id, keys, async () => {
    const [measured] = await Promise.all([
      measure(targets),
      recordTargets(id, 'reserved', targets),
      openJournal(id),
      scheduleRecovery(id),
    ]);
    await takeInTurn(id, measured);
  });
  return { id, keys };
}

/**
 * Makes the writes that rest on what was read under a reservation, all or none. Either way the reservation is
 * over.
 */
export async function runReserved({ id, keys }: Reservation, writes: readonly Write[]): Promise<void> {
  const reserved = new Set(keys.map(addressOf));
  const isReserved = ({ key }: Target) => reserved.has(addressOf(key));
  const isOther = (write: Target) => !isReserved(write);
  const [measured, chunks] = await orAbort(id, [...keys, ...keysOf(writes.filter(isOther))], async () => {
    const prepared = await Promise.all([
      measure(writes),
      recordTargets(id, 'chunk', writes),
      requireGuards(writes.filter(isReserved)),
    ]);
    await takeAll(id, prepared[0].filter(isOther));
    return prepared;
  });
  await commit(id, chunks);
  const written = new Set(keysOf(writes).map(addressOf));
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

async function orAbort<T>(id: string, keys: readonly Key[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // If even that fails, the lease runs out, and passers-by do it.
    await abort(id, keys).catch((failure: unknown) => process.emitWarning(`${id}: ${failure}`));
    throw error;
  }
}

/**
 * Ends the preparing. An answer may be lost on its way or by the table: then the header tells the outcome.
 */
async function commit(id: string, chunks: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if ((await turnCommitted(id, chunks)) || (await readHeader(id))?.state === 'committed') return;
      throw new GaveWay();
    } catch (error) {
      if (!isBusy(error) || attempt === COMMITS) throw error;
      await backOff(attempt);
    }
  }
}

/** Requires the guards of writes to reserved items, which nothing can change any more. */
async function requireGuards(writes: readonly Write[]): Promise<void> {
  const guarded = writes.flatMap(({ key, guard }) => (guard ? [{ key, guard }] : []));
  const items = await getRawItems(keysOf(guarded));
  const isMet = guarded.every(({ guard }, index) => guard.if.matches(withoutLock(items[index]) ?? {}));
  if (!isMet) throw new GuardsFailed();
}

/**
 * Applies what is committed. Failures are left to passers-by and the worker: the caller's transaction is
 * made.
 */
async function finish(id: string, writes: readonly MeasuredWrite[], unused: readonly Key[]): Promise<void> {
  const isCheck = ({ change }: Target) => change.kind === 'check';
  const ends = await Promise.allSettled([
    applyAll(
      id,
      writes.filter((write) => !isCheck(write)),
    ),
    releaseAll(id, [...keysOf(writes.filter(isCheck)), ...unused]),
  ]);
  const failure = ends.find((each) => each.status === 'rejected');
  if (!failure) await closeJournal(id).catch((error: unknown) => process.emitWarning(`${id}: ${error}`));
  else process.emitWarning(`Journal ${id} is committed, but not all of it is applied yet: ${failure.reason}`);
}

async function abort(id: string, keys: readonly Key[]): Promise<void> {
  const isAborted = await turnAborted(id);
  if (!isAborted && (await readHeader(id))?.state === 'committed')
    throw new Error('The journal is committed');
  await releaseAll(id, keys);
  await closeJournal(id);
}

function newId(born: number): string {
  return `${String(born).padStart(15, '0')}-${randomUUID()}`;
}

function keysOf(writes: readonly { readonly key: Key }[]): Key[] {
  return writes.map(({ key }) => key);
}
