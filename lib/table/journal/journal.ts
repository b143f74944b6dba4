import type { Write } from '#lib/table/change/write.ts';
import { requireTimeToTheEnd } from '#lib/table/deadline.ts';
import { inReverse, lockItems, measure, splitCommitWrites } from './lock-items.ts';
import { abortOnFailure, commitOrAbort, finish, keysOfWrites, newId } from './outcome.ts';
import { scheduleRecovery } from './recovery.ts';
import { openJournal, recordTargets } from './store.ts';

/*
 * Transactions of any size: all or nothing for every reader at every moment, across a crash at any step.
 *
 * A journal is a header and its changes, in a partition of its own. As many as ninety-nine of its writes are
 * part of the commit, if their sizes are known: a native transaction has limits. The other writes are on its
 * targets, which are locked first. The steps:
 *
 * 1. Record: write the header, `preparing`, with a lease, and the changes, in chunks. With the chunks, any
 *    process that ends the journal knows which items it may have locked.
 * 2. Lock: every target, a batch at a time. One native transaction requires the header to be `preparing` and
 *    renews the lease. On each target it requires "no lock" and the write's own guard, and sets the lock. A
 *    target that does not exist yet becomes a placeholder: an item with only the lock.
 * 3. Commit: one native transaction turns the header from `preparing` to `committed`, and executes the writes
 *    that are part of the commit, each under "no lock" and its own guard: the point of no return.
 * 4. Apply: every change to its target, a hundred to a call (`apply.ts`). Each write requires the journal's
 *    own lock and drops it. The call is a native transaction only because that costs least: correctness does
 *    not depend on it, and if it fails each write is sent separately.
 * 5. Close: the header. The journal expires three months later.
 *
 * An abort turns the header from `preparing` to `aborted`, drops the locks and the placeholders, and closes.
 * The recovery worker, started by a delayed message, ends a journal whose owner died and that no other
 * process has met.
 *
 * A pessimistic lock comes before the read: step 2 is done before the changes are known, under no guard but
 * "no lock". Data read afterwards can't change any more. So a large document commits at once despite small
 * ones that change its items all the time. Other targets are recorded and locked as above once they are
 * known. A caller that reads an item with a journal in progress, and has many writes, acquires its
 * pessimistic lock at once: the data read would be stale. The commit contains first the writes to other
 * items, then writes to the items under its own lock, which they drop.
 *
 * Why it is correct.
 * - One outcome: `committed` and `aborted` are both reached from `preparing` under that condition, so one
 *   wins, and the writes that are part of the commit share its outcome. Only the owner commits, and an ended
 *   journal is retained. So if the owner's commit is rejected, and it then reads `committed`, it has
 *   committed and only the response was lost; likewise if it reads that when it tries to abort. The header is
 *   put under "not exists", so that a delayed or repeated request does not revert it.
 * - No late locks: a batch of locks is atomic with "the header is `preparing`". So after the commit or an
 *   abort no lock of that journal can appear, even if requests arrive late or twice. An item without its lock
 *   is done for good. (Hence the native transaction. A single write would cost half, but a repeated request
 *   could lock an item that the journal has already changed, and the change would be applied twice.)
 * - No unrecorded locks: every item is recorded, alone or with its change, before it is locked. So any
 *   process that ends the journal, including the worker, finds all its locks and placeholders, and a lock of
 *   a closed journal means a defect.
 * - Guards hold at the commit: between the lock and the end no other write touches a target, as every write
 *   in the table, native or journaled, requires "no lock". Guards of writes that are part of the commit are
 *   checked in its own transaction.
 * - Any process may finish: apply and unlock require the journal's own lock, so each happens once, whichever
 *   process does it and however often it is retried. After a crash before the commit, any process that meets
 *   a lock rolls back once the lease has expired; after a later crash, it rolls forward. Each recovers the
 *   items in its way (`recovery.ts`). An item's change is found by its address, so this takes the same time
 *   for a journal of any size.
 * - No failure after the point of no return: changes that can't be applied at once are left to other
 *   processes and the worker. Writes that the table would reject were refused before the first lock
 *   (`lock-items.ts`).
 * - All or nothing for readers: a reader that meets a lock reads the header. If it is `preparing` or
 *   `aborted`, the item without its lock is the state before the transaction, which is the state at that
 *   moment. If it is `committed`, the reader sees the item after its change (`get.ts`). If it is closed, the
 *   item is read again, and is free by then. So once any reader has seen one change through a lock, every
 *   reader sees all of them, and readers write nothing. As with DynamoDB's own transactions, a reader of
 *   several items sees each as it was at some moment of the read, and these moments may differ.
 * - Assumptions about DynamoDB, whose transactions are serializable and no more: a single item's state, once
 *   any client has seen it, is the same for every client, in conditions as in consistent reads; all items of
 *   a transaction are visible once its response has come; and until then some may be visible before others.
 *   The argument goes from item to item: a failed condition is read again on its item, the header alone
 *   decides the outcome, a lock is looked up on the item that bears it. Only an abort after a lost response
 *   to a lock request may look for that lock too early: the worker looks once more. Readers of several items
 *   rely on `NotYet` and `getSettled` (`read/get.ts`).
 * - No deadlock: if two journals need each other's targets, the older waits. The younger aborts itself and
 *   retries with its old age (wait-die), so the oldest always gets through. The only locks are those on the
 *   targets.
 * - First come, first served: a pessimistic lock that holds no items yet waits for the journal in its way, as
 *   no other journal waits for it. It queues beside that journal's header, and after the end the oldest goes
 *   first (`wait-queue.ts`). A waiter that dies delays the next by a quarter of a second. A transaction locks
 *   its first item only if its call has time to end it, as the deadline would leave the lock for a lease.
 */

/**
 * Executes any number of writes, all or none. `born` is the time of the first attempt: the oldest goes first.
 */
export async function runJournaled(writes: readonly Write[], born: number): Promise<void> {
  const id = newId(born);
  const { direct, before } = splitCommitWrites(inReverse(writes));
  const keys = keysOfWrites(before);
  requireTimeToTheEnd();
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
