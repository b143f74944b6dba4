import { callScope, inScope, type Reservation } from '#lib/table/call-scope.ts';

/** Runs work under a reservation. If the work wrote nothing under it, `giveBack` gets it. */
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

/** Tells whether a lock belongs to the work's own reservation: then its items are as they are read. */
export function isReservedByUs(lock: string): boolean {
  return callScope().reserved?.reservation?.id === lock;
}
