import type { Staff } from '#lib/auth/actor.ts';
import { hasAuthority, requireAuthority } from '#lib/people/user/authority.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { forbidden } from '#lib/values/api-error.ts';

/** Requires that a caller acts for themselves: nobody has a family's changes sent to them in its name. */
export function requireDirectCaller({ impersonator }: Staff): void {
  if (impersonator) throw forbidden();
}

/**
 * Requires that a caller holds every right and every company that the creator of a webhook holds, as it tells
 * what the creator may see. 403 otherwise, and under `auth-as`. Part 4, 4.2, 4.
 */
export async function requireCreatorGrants(actor: Staff, creatorId: number): Promise<void> {
  requireDirectCaller(actor);
  if (actor.id === creatorId) return;
  const creator = await findRecord({ type: users, tenant: PLATFORM, id: creatorId });
  if (creator) await requireAuthority(actor, creator);
}

/** Tells whether a caller may touch a creator's webhooks. Whoever may not sees no secrets of theirs. */
export async function isHeldBy(actor: Staff, creatorId: number): Promise<boolean> {
  if (actor.impersonator) return false;
  if (actor.id === creatorId) return true;
  const creator = await findRecord({ type: users, tenant: PLATFORM, id: creatorId });
  return !creator || hasAuthority(actor, creator);
}
