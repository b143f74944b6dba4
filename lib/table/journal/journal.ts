import type { Write } from '#lib/table/change/write.ts';
import { inReverse, lockItems, measure, splitCommitWrites } from './lock-items.ts';
import { abortOnFailure, commitOrAbort, finish, keysOfWrites, newId } from './outcome.ts';
import { scheduleRecovery } from './recovery.ts';
import { openJournal, recordTargets } from './store.ts';

/*
 * Transactions of any size: all or nothing for every reader at every moment, across a crash at any step.
 *
 * A journal is a header and its changes, in a partition of its own. It goes through these steps:
 *
 * Ninety-nine of its writes go with the commit, if their sizes are known: a transaction has limits. The
 * others are its targets, which are taken before it.
 *
 * 1. record   the header, `preparing`, with a lease; and the changes, in chunks that tell whoever ends the
 *             journal what it may have taken.
 * 2. take     every target, a batch at a time. One native transaction requires the header to be `preparing`
 *             and renews the lease. On each target it requires "no lock" and the write's own guard, and sets
 *             the lock. A target that does not exist yet becomes a placeholder: an item with only the lock.
 * 3. commit   one native transaction turns the header from `preparing` to `committed`, and makes the writes
 *             that go with it, each under "no lock" and its own guard: the point of no return.
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
 * once: what was read would be stale. With its commit go first the writes to what it has not reserved, then
 * others, under its own lock, which they drop.
 *
 * Why it is right.
 * - One outcome: `committed` and `aborted` are both reached from `preparing` under that condition, so one
 *   wins, and what goes with the commit is made if it does. Only the owner commits, and an ended journal is
 *   kept. So if an owner is told that its commit did not apply, and then finds `committed`, it has committed
 *   and only the answer was lost; so too if it finds that when it wants to abort. The header is put under
 *   "not there", so that a request that comes late or twice does not turn it back.
 * - Nothing is taken late: a batch of takes is atomic with "the header is `preparing`". So after the commit
 *   or an abort no lock of that journal can appear, even if requests come late or twice. An item without its
 *   lock is done for good. (That is why the lock is set in a transaction. By itself it would cost half, but a
 *   request that comes twice could take an item that the journal has already changed, and the change would be
 *   made again.)
 * - Nothing is taken unrecorded: every item is written down, reserved or with its change, before it is taken.
 *   So whoever ends the journal, the worker too, finds all its locks and placeholders, and a lock of a closed
 *   journal means a defect.
 * - Guards hold at the commit: between the take and the end no other write touches a target, as every write
 *   in the table, native or journaled, requires "no lock". Those of writes that go with the commit are judged
 *   in its own transaction.
 * - Anyone may finish: apply and drop require the journal's own lock, so each happens once, whoever does it
 *   and however often it is tried. After a crash before the commit, any passer-by rolls back once the lease
 *   is over; after a later one, any passer-by finishes. Each heals the items that stood in its way
 *   (`recovery.ts`). An item's change is found by its address, so this takes the same time however large the
 *   journal is.
 * - Nothing fails after the point of no return: what can't be applied at once is left to passers-by and the
 *   worker. What the table would not accept was refused before anything was taken (`lock-items.ts`).
 * - All or nothing for readers: a reader who meets a lock asks the header. If it is `preparing` or `aborted`,
 *   the item without its lock is the state before the transaction, which is the state at that moment. If it
 *   is `committed`, the reader sees the item as its change will make it (`get.ts`). If it is closed, the
 *   item is read again, and is free by then. So once anyone has seen one change through a lock, everyone
 *   sees all of them, and readers write nothing. As with DynamoDB's own transactions, a reader of several
 *   items sees each as it was at some moment of the read, and these moments may differ.
 * - What is assumed of DynamoDB, whose transactions are serializable and no more: each item by itself is what
 *   it is for everybody, in conditions as in consistent reads, from the moment that anybody has seen it so;
 *   all items of a transaction are seen once its answer has come; and until then some may be seen before
 *   others. The argument goes from item to item: a condition that failed is read again on its item, the
 *   header decides alone, a lock is asked for on the item that bears it. Only who aborts while the answer to
 *   a take is lost may look for that lock too early: the worker looks once more. What reads several items is
 *   helped by `NotYet` and by `getSettled` (`read/get.ts`).
 * - No deadlock: if two journals want each other's targets, the older waits. The younger aborts itself and
 *   starts again with its old age, so the oldest always gets through. There are no locks but those on the
 *   targets.
 * - First come, first served: a reservation that has taken nothing yet waits for the journal in its way, as
 *   nobody waits for it. It queues beside that journal's header, and after the end the older go first
 *   (`dispatch.ts`). Who dies in a queue delays the next by a quarter of a second.
 */

/** Makes any number of writes, all or none. `born` is the time of the first try: the older goes first. */
export async function runJournaled(writes: readonly Write[], born: number): Promise<void> {
  const id = newId(born);
  const { direct, before } = splitCommitWrites(inReverse(writes));
  const keys = keysOfWrites(before);
  const { measured, chunks } = await abortOnFailure(id, keys, async () => {
    const [measured, chunks] = await Promise.all([
      measure(before),
      recordTargets(id, 'chunk', before),
      openJournal(id),
      scheduleRecovery(id),
    ]);
    await lockItems(id, measured);
    return { measured, chunks };
  });
  await commitOrAbort(id, keys, { chunks, direct });
  await finish(id, measured, []);
}
