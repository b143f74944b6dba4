import { inBackground } from '#lib/values/concurrency.ts';
import type { Item } from './client.ts';
import { itemsUnderLock } from './items.ts';
import { addressOf } from './keys.ts';
import { type DrawnIds, type PessimisticLock, requestContext, runInContext } from './request-context.ts';

/*
 * Work that is tried again draws the same ids as before. A try that others overtook has written nothing, so
 * its ids are free, and each that it left unused would be a hole in its list. Once a write has gone through,
 * the ids before it are taken, and what is drawn from then on is new.
 */

/** Makes work that may be tried again: each try is given the ids that those before it drew. */
export function withRetryState<T>(work: () => Promise<T>): () => Promise<T> {
  const drawn: DrawnIds[] = [];
  return () => runInContext({ tries: { drawn, left: [...drawn], hasMetJournal: false } }, work);
}

/** Tells whether this work is tried again, from its reads on, if others are faster. */
export function isRetried(): boolean {
  return requestContext().tries !== undefined;
}

/** Notes that a large transaction is at work on what was read. */
export function trackMetJournal(): void {
  const { tries } = requestContext();
  if (tries) tries.hasMetJournal = true;
}

/** Tells whether a large transaction is at work on something that this try has read. */
export function hasMetJournal(): boolean {
  return requestContext().tries?.hasMetJournal ?? false;
}

/** Draws ids, unless a try before this one drew as many of that counter. */
export function reuseDrawnIds(counter: string, count: number, draw: () => Promise<number>): Promise<number> {
  const { drawn = [], left = [] } = requestContext().tries ?? {};
  const place = left.findIndex((each) => each.counter === counter && each.count === count);
  const [known] = place < 0 ? [] : left.splice(place, 1);
  if (known) return known.first;
  const first = inBackground(draw());
  drawn.push({ counter, count, first });
  return first;
}

/** Notes that a write went through: no other try is given the ids that were drawn before it. */
export function consumeDrawnIds(): void {
  const { tries } = requestContext();
  for (const list of [tries?.drawn, tries?.left]) list?.splice(0);
}

/** Runs work under a reservation. If the work wrote nothing under it, `release` gets it. */
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

/** Claims the reservation for the writes of this work, once. */
export function adoptPessimisticLock(): PessimisticLock | undefined {
  const { reserved } = requestContext();
  const reservation = reserved?.reservation;
  if (reserved) reserved.reservation = undefined;
  return reservation;
}

/** Keeps whole items that the work's reservation has: they stay as they are until it writes. */
export function trackLockedItems(items: readonly (Item | undefined)[]): void {
  const reservation = requestContext().reserved?.reservation;
  if (!reservation) return;
  for (const item of itemsUnderLock(reservation.id, items)) reservation.seen.set(addressOf(item), item);
}

/** Tells whether a lock belongs to the work's own reservation: then its items are as they are read. */
export function isOwnLock(lock: string): boolean {
  return requestContext().reserved?.reservation?.id === lock;
}
