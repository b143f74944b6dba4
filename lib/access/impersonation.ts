import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';

/*
 * An administrator behind a call: as of its deadline, all that runs in the call knows of them without being
 * told. So every document, transfer and movement notes them, also one that forgets to ask.
 */

const current = new AsyncLocalStorage<number | null>();

/** Runs a call for the administrator who acts as its user; `undefined` if nobody does. */
export function impersonatedBy<T>(administratorId: number | undefined, work: () => T): T {
  return current.run(administratorId ?? null, work);
}

/** Names the administrator behind the call; null if its user is there in person. */
export function impersonatorNow(): number | null {
  return current.getStore() ?? null;
}

/**
 * Fields for who made a document, and for the administrator who acted as them: the one behind the call in the
 * answer to its making, its own in a document that is read. Decisions, 3.
 */
export const madeBy = {
  creator_id: z.int(),
  impersonator_id: z.int().nullable().default(impersonatorNow),
};

/** What an older document, which does not say, is read with: its creator made it in person. */
export const MADE_IN_PERSON = { impersonator_id: null };
