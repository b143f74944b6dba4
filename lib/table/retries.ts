import { inBackground } from '#lib/values/concurrency.ts';
import type { Item } from './client.ts';
import { itemsUnderLock } from './items.ts';
import { addressOf } from './keys.ts';
import { type DrawnIds, type PessimisticLock, requestContext, runInContext } from './request-context.ts';

/*
 * Retried work reuses its ids. An attempt that failed by contention has written nothing, so its ids are free,
 * and each unused one would be a gap in its list. Once a write has succeeded, the ids before it are used, and
 * later draws get new ones.
 */

/** Makes work retriable: each attempt reuses the ids that the earlier ones drew. */
export function withRetryState<T>(work: () => Promise<T>): () => Promise<T> {
  const drawn: DrawnIds[] = [];
  return () => runInContext({ tries: { drawn, left: [...drawn], hasMetJournal: false } }, work);
}

/** Returns true if this work is retried after contention, including its reads. */
export function isRetried(): boolean {
  return requestContext().tries !== undefined;
}

/** Records that an active journal has locked an item that was read. */
export function trackMetJournal(): void {
  const { tries } = requestContext();
  if (tries) tries.hasMetJournal = true;
}

/** Returns true if an active journal has locked an item that this attempt has read. */
export function hasMetJournal(): boolean {
  return requestContext().tries?.hasMetJournal ?? false;
}

/** Draws ids, or reuses an earlier attempt's draw of as many ids from the same counter. */
export function reuseDrawnIds(counter: string, count: number, draw: () => Promise<number>): Promise<number> {
  const { drawn = [], left = [] } = requestContext().tries ?? {};
  const place = left.findIndex((each) => each.counter === counter && each.count === count);
  const [known] = place < 0 ? [] : left.splice(place, 1);
  if (known) return known.first;
  const first = inBackground(draw());
  drawn.push({ counter, count, first });
  return first;
}

/** Records a successful write: later attempts do not reuse the ids drawn before it. */
export function consumeDrawnIds(): void {
  const { tries } = requestContext();
  for (const list of [tries?.drawn, tries?.left]) list?.splice(0);
}

/** Runs work under a pessimistic lock. `release` gets the lock if no write of the work has adopted it. */
export async function withPessimisticLock<T>(
  reservation: PessimisticLock,
  work: () => Promise<T>,
  release: (reservation: PessimisticLock) => Promise<void>,
): Promise<T> {
  const reserved: { reservation: PessimisticLock | undefined } = { reservation };
  try {
    return await runInContext({ reserved }, work);
  } finally {
    if (reserved.reservation) await release(reserved.reservation);
  }
}

/** Returns the pessimistic lock to the writes of this work, once. */
export function adoptPessimisticLock(): PessimisticLock | undefined {
  const { reserved } = requestContext();
  const reservation = reserved?.reservation;
  if (reserved) reserved.reservation = undefined;
  return reservation;
}

/** Records items read under the work's pessimistic lock: they can't change before the work writes them. */
export function trackLockedItems(items: readonly (Item | undefined)[]): void {
  const reservation = requestContext().reserved?.reservation;
  if (!reservation) return;
  for (const item of itemsUnderLock(reservation.id, items)) reservation.seen.set(addressOf(item), item);
}

/** Returns true if a lock is the work's own pessimistic lock: its items are current as read. */
export function isOwnLock(lock: string): boolean {
  return requestContext().reserved?.reservation?.id === lock;
}
