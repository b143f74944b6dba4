import { Account } from '#lib/access/account.ts';
import { isIn, type Staff } from '#lib/access/actor.ts';
import { actorFor, userKey } from '#lib/access/identify.ts';
import { requireAuthority } from '#lib/people/user/authority.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { forbidden } from '#lib/values/refusal.ts';
import type { WebhookPlace } from './lane.ts';

/** Requires that a caller acts for themselves: nobody has a family's changes sent to them in its name. */
export function requireOneself({ impersonator }: Staff): void {
  if (impersonator) throw forbidden();
}

/**
 * Requires that a caller holds every right and every company that the creator of a webhook holds, as it tells
 * what the creator may see. 403 otherwise, and under `auth-as`. Part 4, 4.2, 4.
 */
export async function requireHold(actor: Staff, creatorId: number): Promise<void> {
  requireOneself(actor);
  if (actor.id === creatorId) return;
  const creator = await findRecord({ type: users, home: PLATFORM, id: creatorId });
  if (creator) await requireAuthority(actor, creator);
}

/** Reads who added a webhook; undefined if they are deleted, or of another family by now. */
export async function readCreator({ home }: WebhookPlace, creatorId: number): Promise<Staff | undefined> {
  const account = Account.safeParse(await getItem(userKey(creatorId))).data;
  if (!account || account.is_deleted) return undefined;
  const actor = await actorFor(account);
  return isIn('company', actor) && actor.home === home ? actor : undefined;
}
