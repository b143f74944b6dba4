import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key } from '#lib/table/keys.ts';

/** Items that a journal has taken before it is known what becomes of them. */
export interface Reservation {
  readonly id: string;
  readonly keys: readonly Key[];
}

interface Scope {
  reservation: Reservation | undefined;
}

const current = new AsyncLocalStorage<Scope>();

/** Runs work under a reservation, and tells whether its writes have been made under it. */
export async function underReservation<T>(
  reservation: Reservation,
  work: () => Promise<T>,
  unused: (reservation: Reservation) => Promise<void>,
): Promise<T> {
  const scope: Scope = { reservation };
  try {
    return await current.run(scope, work);
  } finally {
    if (scope.reservation) await unused(scope.reservation);
  }
}

/** The reservation that the writes of this work are to be made under; it can be had once. */
export function claimReservation(): Reservation | undefined {
  const scope = current.getStore();
  const reservation = scope?.reservation;
  if (scope) scope.reservation = undefined;
  return reservation;
}

/** Tells whether a lock is that of the work's own reservation: its items are as they are read. */
export function isReservedByUs(lock: string): boolean {
  return current.getStore()?.reservation?.id === lock;
}
