import { backOff } from '#lib/table/busy.ts';
import { actionOf, itemAfter, updateOf } from '#lib/table/change/change.ts';
import { type Failure, MOST_ACTIONS, transactWrite } from '#lib/table/change/send.ts';
import { bytesOf, MOST_BYTES, type Write } from '#lib/table/change/write.ts';
import { all, any, equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, unlocked } from '#lib/table/items.ts';
import { refuse } from '#lib/values/refusal.ts';
import { piecesWithin } from '#lib/values/side-by-side.ts';
import { GaveWay, GuardsFailed, Withheld } from './contention.ts';
import { healBlocked } from './recovery.ts';
import { renewal } from './store.ts';

/** Items that are taken at once: the header is in the same transaction, which may be of 4 MB. */
const TOGETHER = { count: MOST_ACTIONS - 1, size: 3_000_000 };

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
      if (after > MOST_BYTES) throw refuse('document.too_large');
      return [key, Math.max(bytesOf(before), after)];
    }),
  );
  return writes.map((write) => ({ ...write, bytes: write.bytes ?? read.get(write.key) ?? 0 }));
}

/**
 * Takes the items of writes, if their guards hold. `GaveWay` if an older journal wants one of them,
 * `GuardsFailed` if a guard fails, `Withheld` if a count has one of them.
 */
export async function takeAll(id: string, writes: readonly MeasuredWrite[]): Promise<void> {
  // One order for all, so that two that want the same items meet at the first of them.
  for (const few of piecesWithin(writes.toSorted(byAddress), TOGETHER, ({ bytes }) => bytes)) {
    await take(id, few);
  }
}

async function take(id: string, writes: readonly Write[]): Promise<void> {
  const takes = writes.map(({ key, guard }) => {
    const free = guard ? all([unlocked, guard.if]) : unlocked;
    return actionOf(key, updateOf({ set: { [LOCK]: id } }), [any([equals(LOCK, id), free])]);
  });
  for (let attempt = 1; ; attempt++) {
    const failures = await transactWrite([renewal(id), ...takes]);
    if (failures.length === 0) return;
    await clearTheWay(id, writes, failures, attempt);
  }
}

/** Heals what stood in the way, so that it can be tried again; throws if trying again is no use. */
async function clearTheWay(
  id: string,
  writes: readonly Write[],
  failures: readonly Failure[],
  attempt: number,
): Promise<void> {
  if (failures.some(({ index }) => index === 0)) throw new GaveWay();
  if (failures.every(({ lock }) => lock === undefined)) throw new GuardsFailed();
  const journals = await healBlocked(
    failures.map(({ index, lock }) => ({ lock, key: writes[index - 1]?.key })),
    attempt,
  );
  if (journals.some(({ state }) => state === 'withheld')) throw new Withheld();
  const preparing = journals.filter(({ state }) => state === 'preparing');
  if (preparing.some(({ lock }) => lock < id)) throw new GaveWay();
  if (preparing.length > 0) await backOff(attempt);
}

function byAddress(a: Write, b: Write): number {
  if (a.key.pk !== b.key.pk) return a.key.pk < b.key.pk ? -1 : 1;
  return a.key.sk < b.key.sk ? -1 : 1;
}
