import { actionOf, itemAfter, updateOf } from '#lib/table/change/change.ts';
import { type FailedAction, MAX_ACTIONS, transactWrite } from '#lib/table/change/send.ts';
import { bytesOf, MAX_BYTES, type Write } from '#lib/table/change/write.ts';
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

/** Items that go at once: the header is in the same transaction, which may be of 4 MB. */
const TOGETHER = { count: MAX_ACTIONS - 1, size: 3_000_000 };

/** A write whose item's size is known, before it or after, the larger one. */
export type MeasuredWrite = Write & { readonly bytes: number };

/**
 * Measures the items of writes. Those of which no write tells the size are read, in one round trip. They may
 * grow before they are taken, so both limits leave room. 400 if one would be larger than the table accepts:
 * after the commit it would be too late.
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
 * Takes the items of writes, if their guards hold. `YieldedToOlder` if an older journal wants one of them,
 * `ConditionsFailed` if a guard fails, `HeldByStandingLock` if a count has one of them.
 */
export async function lockItems(id: string, writes: readonly MeasuredWrite[]): Promise<void> {
  for (const few of piecesOf(writes)) await take(id, few, recoverBlockers);
}

/**
 * Takes items before their changes are known, as `lockItems`. While it has taken none it waits for its turn
 * rather than give way: what is read afterwards is not stale, however long that takes.
 */
export async function lockItemsInTurn(id: string, writes: readonly MeasuredWrite[]): Promise<void> {
  const [first = [], ...others] = piecesOf(writes);
  const [foremost] = first;
  // Who wants the same has it, as a rule: to ask costs less than to be refused all.
  if (foremost) await waitForLock(id, foremost.key);
  await take(id, first, awaitTheWay);
  for (const few of others) await take(id, few, recoverBlockers);
}

function piecesOf(writes: readonly MeasuredWrite[]): MeasuredWrite[][] {
  return splitBySize(inOrder(writes), TOGETHER, ({ bytes }) => bytes);
}

/** What kept a transaction of a journal's from being made. */
interface Blocked {
  readonly id: string;
  /** Of its items, after the journal's header. */
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

/** Waits for whoever has one of the items; heals those that nobody is at work on. */
async function awaitTheWay(blocked: Blocked): Promise<void> {
  const { id, keys, failures } = blocked;
  const locked = failures.find(({ lock }) => lock !== undefined);
  const key = locked && keys[locked.index - 1];
  if (!key || !(await waitForLock(id, key))) await recoverBlockers(blocked);
}

/**
 * Heals what stood in the way of a journal, so that it can be tried again; throws if trying again is no use.
 */
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

/** Gives one order for all, so that two that want the same items meet at the first of them. */
function inOrder<W extends Write>(writes: readonly W[]): W[] {
  return writes.toSorted((a, b) => {
    if (a.key.pk !== b.key.pk) return a.key.pk < b.key.pk ? -1 : 1;
    return a.key.sk < b.key.sk ? -1 : 1;
  });
}

/** Gives the same order backwards: who takes only some of the items takes the first. */
export function inReverse(writes: readonly Write[]): Write[] {
  return inOrder(writes).reverse();
}

/**
 * Splits writes into the first of those whose size is known, as many as go with the commit, and all others,
 * which must be there before it.
 */
export function splitCommitWrites(writes: readonly Write[]) {
  const [direct = [], ...others] = splitBySize(writes.filter(isMeasured), TOGETHER, ({ bytes }) => bytes);
  return { direct, before: [...others.flat(), ...writes.filter((write) => !isMeasured(write))] };
}

function isMeasured(write: Write): write is MeasuredWrite {
  return write.bytes !== undefined;
}
