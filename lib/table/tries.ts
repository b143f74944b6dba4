import { begin } from '#lib/values/side-by-side.ts';
import { callScope, type DrawnIds, inScope, type Reservation } from './call-scope.ts';
import type { Item } from './client.ts';
import { pickLocked } from './items.ts';
import { addressOf } from './keys.ts';

/*
 * Work that is tried again draws the same ids as before. A try that others overtook has written nothing, so
 * its ids are free, and each that it left unused would be a hole in its list. Once a write has gone through,
 * the ids before it are taken, and what is drawn from then on is new.
 */

/** Makes work that may be tried again: each try is given the ids that those before it drew. */
export function repeatable<T>(work: () => Promise<T>): () => Promise<T> {
  const drawn: DrawnIds[] = [];
  return () => inScope({ tries: { drawn, left: [...drawn], hasMetJournal: false } }, work);
}

/** Tells whether this work is tried again, from its reads on, if others are faster. */
export function isTriedAgain(): boolean {
  return callScope().tries !== undefined;
}

/** Notes that a large transaction is at work on what was read. */
export function noteMetJournal(): void {
  const { tries } = callScope();
  if (tries) tries.hasMetJournal = true;
}

/** Tells whether a large transaction is at work on something that this try has read. */
export function hasMetJournal(): boolean {
  return callScope().tries?.hasMetJournal ?? false;
}

/** Draws ids, unless a try before this one drew as many of that counter. */
export function drawAgain(counter: string, count: number, draw: () => Promise<number>): Promise<number> {
  const { drawn = [], left = [] } = callScope().tries ?? {};
  const place = left.findIndex((each) => each.counter === counter && each.count === count);
  const [known] = place < 0 ? [] : left.splice(place, 1);
  if (known) return known.first;
  const first = begin(draw());
  drawn.push({ counter, count, first });
  return first;
}

/** Notes that a write went through: no other try is given the ids that were drawn before it. */
export function keepDrawn(): void {
  const { tries } = callScope();
  for (const list of [tries?.drawn, tries?.left]) list?.splice(0);
}

/** Runs work under a reservation. If the work wrote nothing under it, `release` gets it. */
export async function underReservation<T>(
  reservation: Reservation,
  work: () => Promise<T>,
  release: (reservation: Reservation) => Promise<void>,
): Promise<T> {
  const reserved: { reservation: Reservation | undefined } = { reservation };
  try {
    return await inScope({ reserved }, work);
  } finally {
    if (reserved.reservation) await release(reserved.reservation);
  }
}

/** Claims the reservation for the writes of this work, once. */
export function adoptReservation(): Reservation | undefined {
  const { reserved } = callScope();
  const reservation = reserved?.reservation;
  if (reserved) reserved.reservation = undefined;
  return reservation;
}

/** Keeps whole items that the work's reservation has: they stay as they are until it writes. */
export function noteReserved(items: readonly (Item | undefined)[]): void {
  const reservation = callScope().reserved?.reservation;
  if (!reservation) return;
  for (const item of pickLocked(reservation.id, items)) reservation.seen.set(addressOf(item), item);
}

/** Tells whether a lock belongs to the work's own reservation: then its items are as they are read. */
export function isReservedByUs(lock: string): boolean {
  return callScope().reserved?.reservation?.id === lock;
}
