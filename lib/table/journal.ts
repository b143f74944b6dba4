import { randomUUID } from 'node:crypto';
import { runAlone } from './alone.ts';
import type { Item } from './client.ts';
import { all, any, equals } from './expression.ts';
import { getRawItems } from './items.ts';
import { eraseJournal, headerOf, recordJournal, renewal, targetsOf, turn } from './journal-store.ts';
import { watch } from './journal-watch.ts';
import { isPlaceholder, MARK, markOf, unmarked } from './mark.ts';
import { backOff, type Failure, NATIVE_LIMIT, runNatively } from './native.ts';
import { type Action, actionOf, type Change, type Target, type Write } from './write.ts';

/*
 * Transactions of any size: all or nothing for every reader at every moment, across a crash at any step.
 *
 * A journal is a header and its writes, in a partition of its own. It goes through these steps:
 *
 *   1. record   the writes and the header: `preparing`, with a lease.
 *   2. take     every target, a batch at a time: one native transaction that requires the header to be `preparing`,
 *               renews the lease, and on each target requires "no mark" and the write's own guard, and sets the mark.
 *               A target that isn't there yet becomes a placeholder: an item with nothing but the mark.
 *   3. commit   one conditional write turns the header from `preparing` to `committed`: the point of no return.
 *   4. apply    every write to its target, one by one and side by side, requiring the journal's own mark, which the
 *               write drops. The item by itself costs half of what it costs in a transaction, and needs none any more.
 *   5. erase    the header. The writes that were recorded expire.
 *
 * A delayed message has a worker settle what its owner left and nobody has met.
 *
 * An abort turns the header from `preparing` to `aborted`, drops the marks and the placeholders, and erases.
 *
 * Why it is right.
 * - One outcome: `committed` and `aborted` are both reached from `preparing` by a conditional write; one wins.
 * - Nothing is taken late: a batch of takes is atomic with "the header is `preparing`". So after an abort, or after the
 *   erasing, no mark of that journal can appear: a mark whose header is gone was dropped before the header went, and
 *   reading the item again shows it so.
 * - Guards hold at the commit: between the take and the end no other write touches a target, as every write in the
 *   table, native or journaled, requires "no mark".
 * - Anyone may finish: apply and drop require the journal's own mark, so each happens once, whoever does it, however
 *   often it is tried. A crash before the commit leaves what any passer-by rolls back once the lease is over; a crash
 *   after it leaves what any passer-by finishes.
 * - All or nothing for readers: a reader who meets a mark asks the header. `preparing` or `aborted`: the item without its
 *   mark is the state before the transaction, which is the state at that moment. `committed`: the reader sees the item
 *   as its write will make it (`view.ts`). No header: the journal has ended, and the item is read again. So once anyone
 *   has seen one write, everyone sees all of them, and readers write nothing.
 * - No deadlock: of two journals that want each other's targets the older waits and the younger aborts itself and
 *   starts again with its old age, so the oldest always gets through. There is no lock but on the targets.
 */

// As many writes as are under way at once: more than there are connections, and little enough to hold.
const SIDE_BY_SIDE = 200;

// The header stands beside the takes in their transaction.
const TAKES = NATIVE_LIMIT - 1;

/** A younger journal gave way to an older one; it is to be tried again under the same age. */
export class GaveWay extends Error {}

/** The guards of some writes don't hold. */
export class GuardsFailed extends Error {}

/** Makes any number of writes, all or none. `born` is when it was first tried: the older goes first. */
export async function runJournaled(writes: readonly Write[], born: number): Promise<void> {
  const id = `${String(born).padStart(15, '0')}-${randomUUID()}`;
  const sorted = writes.toSorted(byAddress);
  await recordJournal(id, sorted);
  const watching = watch(id);
  try {
    await takeAll(id, sorted);
  } catch (error) {
    await abort(id, sorted);
    throw error;
  }
  if (!(await turn(id, 'committed'))) throw new GaveWay();
  await Promise.all([finish(id, sorted), watching]);
}

/** What became of a journal someone has met: `preparing` still, or `over`, in which case its items are free now. */
export async function settle(id: string): Promise<'preparing' | 'over'> {
  const header = await headerOf(id);
  if (!header) return 'over';
  if (header.state === 'preparing' && header.lease > Date.now()) return 'preparing';
  if (header.state === 'committed') await finish(id, await stillTaken(id, await targetsOf(id)));
  else await abort(id, await targetsOf(id), header.lease);
  return 'over';
}

async function takeAll(id: string, writes: readonly Write[]): Promise<void> {
  for (let from = 0; from < writes.length; from += TAKES) {
    await takeBatch(id, writes.slice(from, from + TAKES));
  }
}

async function takeBatch(id: string, batch: readonly Write[]): Promise<void> {
  const takes = batch.map(({ key, guard }) => {
    const free = guard ? all([unmarked, guard.if]) : unmarked;
    return actionOf(key, marking(id), [any([equals(MARK, id), free])]);
  });
  for (let attempt = 1; ; attempt++) {
    const failures = await runNatively([renewal(id), ...takes]);
    if (failures.length === 0) return;
    await clearTheWay(id, failures, attempt);
  }
}

/** Sees to what stood in a batch's way, so that it can be tried again; throws where trying again is no use. */
async function clearTheWay(id: string, failures: readonly Failure[], attempt: number): Promise<void> {
  if (failures.some(({ index }) => index === 0)) throw new GaveWay();
  const marks = [...new Set(failures.flatMap(({ mark }) => mark ?? []))];
  if (marks.length === 0) throw new GuardsFailed();
  const outcomes = await Promise.all(marks.map(settle));
  const older = marks.some((mark, index) => outcomes[index] === 'preparing' && mark < id);
  if (older) throw new GaveWay();
  if (outcomes.includes('preparing')) await backOff(attempt);
}

async function finish(id: string, targets: readonly Target[]): Promise<void> {
  const [checked, changed] = [targets.filter(isCheck), targets.filter((target) => !isCheck(target))];
  for (let from = 0; from < changed.length; from += SIDE_BY_SIDE) {
    const wave = changed.slice(from, from + SIDE_BY_SIDE);
    // Another finisher may have been faster: then the mark is gone, and so is the need.
    await Promise.all(
      wave.map(({ key, change }) => runAlone(actionOf(key, applied(change), [equals(MARK, id)]))),
    );
  }
  await releaseAll(id, checked);
  await eraseJournal(id);
}

async function abort(id: string, targets: readonly Target[], lease?: number): Promise<void> {
  // A passer-by may only end what nobody has renewed since the header was read.
  const isTurned = await turn(id, 'aborted', lease);
  if (!isTurned && (await headerOf(id))?.state !== 'aborted') return;
  await releaseAll(id, targets);
  await eraseJournal(id);
}

/** Those targets which still bear the mark of a journal: most may have been seen to. */
async function stillTaken(id: string, targets: readonly Target[]): Promise<Target[]> {
  const items = await getRawItems(targets.map(({ key }) => key));
  return targets.filter((_, index) => markOf(items[index]) === id);
}

/** Gives every target that still bears the journal's mark back as it was before it was taken. */
async function releaseAll(id: string, targets: readonly Target[]): Promise<void> {
  let left = targets;
  while (left.length > 0) {
    const items = await getRawItems(left.map(({ key }) => key));
    const taken = left.flatMap((target, index) => {
      const item = items[index];
      return markOf(item) === id ? [{ target, item }] : [];
    });
    for (let from = 0; from < taken.length; from += NATIVE_LIMIT) {
      // Another finisher may be faster with some of a batch: the next look at the items tells.
      await runNatively(
        taken.slice(from, from + NATIVE_LIMIT).map(({ target, item }) => released(id, target, item)),
      );
    }
    left = taken.map(({ target }) => target);
  }
}

function isCheck({ change }: Target): boolean {
  return change.kind === 'check';
}

function marking(id: string): Change {
  return { kind: 'update', set: { [MARK]: id }, add: {}, unset: [] };
}

function applied(change: Change): Change {
  return change.kind === 'update' ? { ...change, unset: [...change.unset, MARK] } : change;
}

/** Gives an item back as it was before it was taken. */
function released(id: string, { key }: Target, item: Item | undefined): Action {
  const change: Change = isPlaceholder(item)
    ? { kind: 'remove' }
    : { kind: 'update', set: {}, add: {}, unset: [MARK] };
  return actionOf(key, change, [equals(MARK, id)]);
}

function byAddress(a: Target, b: Target): number {
  if (a.key.pk !== b.key.pk) return a.key.pk < b.key.pk ? -1 : 1;
  return a.key.sk < b.key.sk ? -1 : 1;
}
