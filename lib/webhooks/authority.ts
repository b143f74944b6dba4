import type { Staff } from '#lib/auth/actor.ts';
import { hasAuthority, requireAuthority } from '#lib/people/user/authority.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { forbidden } from '#lib/values/api-error.ts';

/**
 * Rejects impersonation with 403: an impersonator must not subscribe to a family's changes in the user's
 * name.
 */
export function requireDirectCaller({ impersonator }: Staff): void {
  if (impersonator) throw forbidden();
}

/**
 * Requires that a caller holds every right and every company of the webhook's creator, since the webhook
 * exposes everything visible to the creator. 403 otherwise, and under `auth-as`. Part 4, 4.2, 4.
 */
export async function requireCreatorGrants(actor: Staff, creatorId: number): Promise<void> {
  requireDirectCaller(actor);
  if (actor.id === creatorId) return;
  const creator = await findRecord({ type: users, tenant: PLATFORM, id: creatorId });
  if (creator) await requireAuthority(actor, creator);
}

/** Returns whether a caller may manage the webhooks of a creator; without that, secrets are hidden. */
export async function isHeldBy(actor: Staff, creatorId: number): Promise<boolean> {
  if (actor.impersonator) return false;
  if (actor.id === creatorId) return true;
  const creator = await findRecord({ type: users, tenant: PLATFORM, id: creatorId });
  return !creator || hasAuthority(actor, creator);
}
