import { actionOf, itemAfter, updateOf } from '#lib/table/change/change.ts';
import { type FailedAction, MAX_ACTIONS, transactWrite } from '#lib/table/change/send.ts';
import { bytesOf, MAX_BYTES, type Write } from '#lib/table/change/write.ts';
import { requireTimeToTheEnd } from '#lib/table/deadline.ts';
import { all, any, equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, unlocked } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { splitBySize } from '#lib/values/concurrency.ts';
import { ConditionsFailed, HeldByStandingLock, YieldedToOlder } from './contention.ts';
import { recoverBlockingItems } from './recovery.ts';
import { renewal } from './store.ts';
import { waitForLock } from './wait-queue.ts';

/** Items locked in one batch: the header is in the same transaction, whose limit is 4 MB. */
const TOGETHER = { count: MAX_ACTIONS - 1, size: 3_000_000 };

/** A write with the known size of its item, before or after it, the larger one. */
export type MeasuredWrite = Write & { readonly bytes: number };

/**
 * Measures the items of writes. Reads those of unknown size, in one round trip. They may grow before they are
 * locked, so both limits leave room. 400 if one would exceed the table's limit: after the commit it would be
 * too late.
 */
export async function measure(writes: readonly Write[]): Promise<MeasuredWrite[]> {
  const unknown = writes.filter(({ bytes }) => bytes === undefined);
  const items = await getRawItems(unknown.map(({ key }) => key));
  const read = new Map(
    unknown.map(({ key, change }, index) => {
      const before = items[index] ?? { ...key };
      const after = bytesOf(itemAfter(change, before) ?? {});
      if (after > MAX_BYTES) throw badRequest('document.too_large');
      return [key, Math.max(bytesOf(before), after)];
    }),
  );
  return writes.map((write) => ({ ...write, bytes: write.bytes ?? read.get(write.key) ?? 0 }));
}

/**
 * Locks the items of writes, if their guards hold. Throws `YieldedToOlder` if an older journal needs one of
 * them, `ConditionsFailed` if a guard fails, `HeldByStandingLock` if a stocktake holds one of them.
 */
export async function lockItems(id: string, writes: readonly MeasuredWrite[]): Promise<void> {
  for (const few of piecesOf(writes)) await take(id, few, recoverBlockers);
}

/**
 * Locks items before their changes are known, as `lockItems`. Until it holds the first batch it waits in the
 * queue rather than yields: data read afterwards is not stale, however long that takes.
 */
export async function lockItemsInTurn(id: string, writes: readonly MeasuredWrite[]): Promise<void> {
  const [first = [], ...others] = piecesOf(writes);
  const [foremost] = first;
  // Competing transactions lock in this order too: one read of the first item costs less than a failed batch.
  if (foremost) await waitForLock(id, foremost.key);
  requireTimeToTheEnd();
  await take(id, first, waitForHolder);
  for (const few of others) await take(id, few, recoverBlockers);
}

function piecesOf(writes: readonly MeasuredWrite[]): MeasuredWrite[][] {
  return splitBySize(inOrder(writes), TOGETHER, ({ bytes }) => bytes);
}

/** A failed transaction of a journal, with the conflicts. */
interface Blocked {
  readonly id: string;
  /** Keys of its items, after the journal's header. */
  readonly keys: readonly Key[];
  readonly failures: readonly FailedAction[];
  readonly attempt: number;
}

async function take(
  id: string,
  writes: readonly Write[],
  onBlocked: (blocked: Blocked) => Promise<void>,
): Promise<void> {
  const takes = writes.map(({ key, guard }) => {
    const free = guard ? all([unlocked, guard.if]) : unlocked;
    return actionOf(key, updateOf({ set: { [LOCK]: id } }), [any([equals(LOCK, id), free])]);
  });
  for (let attempt = 1; ; attempt++) {
    const failures = await transactWrite([renewal(id), ...takes]);
    if (failures.length === 0) return;
    await onBlocked({ id, keys: writes.map(({ key }) => key), failures, attempt });
  }
}

/** Waits for the holder of one of the items; recovers items that a dead owner has left. */
async function waitForHolder(blocked: Blocked): Promise<void> {
  const { id, keys, failures } = blocked;
  const locked = failures.find(({ lock }) => lock !== undefined);
  const key = locked && keys[locked.index - 1];
  if (!key || !(await waitForLock(id, key))) await recoverBlockers(blocked);
}

/** Recovers the blocking items, so that the journal can retry; throws if a retry is no use. */
export async function recoverBlockers({ id, keys, failures, attempt }: Blocked): Promise<void> {
  if (failures.some(({ index }) => index === 0)) throw new YieldedToOlder();
  if (failures.every(({ lock }) => lock === undefined)) throw new ConditionsFailed();
  const journals = await recoverBlockingItems(
    failures.map(({ index, lock }) => ({ lock, key: keys[index - 1] })),
    attempt,
  );
  if (journals.some(({ state }) => state === 'withheld')) throw new HeldByStandingLock();
  const preparing = journals.filter(({ state }) => state === 'preparing');
  if (preparing.some(({ lock }) => lock < id)) throw new YieldedToOlder();
  if (preparing.length > 0) await backOff(attempt);
}

/** Sorts writes in one global order, so that two transactions on the same items meet at the first of them. */
function inOrder<W extends Write>(writes: readonly W[]): W[] {
  return writes.toSorted((a, b) => {
    if (a.key.pk !== b.key.pk) return a.key.pk < b.key.pk ? -1 : 1;
    return a.key.sk < b.key.sk ? -1 : 1;
  });
}

/**
 * Sorts writes in the reverse order: a transaction that locks only some of the items locks the first ones.
 */
export function inReverse(writes: readonly Write[]): Write[] {
  return inOrder(writes).reverse();
}

/**
 * Splits writes into the first of known size, as many as fit into the commit, and all others, which must be
 * locked before it.
 */
export function splitCommitWrites(writes: readonly Write[]) {
  const [direct = [], ...others] = splitBySize(writes.filter(isMeasured), TOGETHER, ({ bytes }) => bytes);
  return { direct, before: [...others.flat(), ...writes.filter((write) => !isMeasured(write))] };
}

function isMeasured(write: Write): write is MeasuredWrite {
  return write.bytes !== undefined;
}
