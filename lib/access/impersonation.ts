import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { type Actor, hasRight } from './actor.ts';

/*
 * Who calls: as of its deadline, all that runs in a call knows of its caller without being told. So every
 * document, posting and movement notes an administrator behind the call, also one that forgets to ask; and
 * schemas show of people what the caller may see.
 */

const current = new AsyncLocalStorage<Actor | undefined>();

/** Runs a call for its caller; `undefined` if anyone may call. */
export function calledBy<T>(actor: Actor | undefined, work: () => T): T {
  return current.run(actor, work);
}

/** Names the administrator behind the call; null if its user is there in person. */
export function impersonatorNow(): number | null {
  return current.getStore()?.impersonator?.user ?? null;
}

/** Tells whether the caller may read users, one or their list. */
export function mayReadUsersNow(): boolean {
  const actor = current.getStore();
  const rights = ['admin', 'company'].flatMap((area) => [
    `${area}.user.user.index`,
    `${area}.user.user.show`,
  ]);
  return actor !== undefined && rights.some((right) => hasRight(actor, right));
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
