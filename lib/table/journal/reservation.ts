import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key } from '#lib/table/keys.ts';

/** Items that a journal has taken before their changes are known. */
export interface Reservation {
  readonly id: string;
  readonly keys: readonly Key[];
}

interface Scope {
  reservation: Reservation | undefined;
}

const current = new AsyncLocalStorage<Scope>();

/** Runs work under a reservation. If the work wrote nothing under it, `giveBack` gets it. */
export async function underReservation<T>(
  reservation: Reservation,
  work: () => Promise<T>,
  giveBack: (reservation: Reservation) => Promise<void>,
): Promise<T> {
  const scope: Scope = { reservation };
  try {
    return await current.run(scope, work);
  } finally {
    if (scope.reservation) await giveBack(scope.reservation);
  }
}

/** Claims the reservation for the writes of this work, once. */
export function claimReservation(): Reservation | undefined {
  const scope = current.getStore();
  const reservation = scope?.reservation;
  if (scope) scope.reservation = undefined;
  return reservation;
}

/** Tells whether a lock belongs to the work's own reservation: then its items are as they are read. */
export function isReservedByUs(lock: string): boolean {
  return current.getStore()?.reservation?.id === lock;
}
