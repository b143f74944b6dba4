import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import type { PosSession } from './actor.ts';

const DURATION_MS = 12 * 3_600_000;

/** A desk has one item, so a second sign-in replaces the session of the first. */
const StoredSession = z.object({ id: z.int(), until: z.number() });

/** Returns the key of a desk's session. */
export function deskSessionKey(tenant: Tenant, cashboxId: number): Key {
  return recordKey('pos-session', tenant, cashboxId);
}

/** Returns a token's session in its current state, from the item at `deskSessionKey`. */
export function deskSession(item: unknown, id: number, cashboxId: number, at: Instant): PosSession {
  const stored = StoredSession.safeParse(item).data;
  return { id, cashboxId, isActive: stored?.id === id && stored.until > at };
}

/** Starts a session, which ends an earlier one. Of two concurrent ones, that with the higher id wins. */
export async function beginDeskSession(
  tenant: Tenant,
  cashboxId: number,
  id: number,
  at: Instant,
): Promise<Instant> {
  const until = at + DURATION_MS;
  const older = any([absent('id'), lessThan('id', id)]);
  await updateOne(deskSessionKey(tenant, cashboxId), { set: { id, ...termOf(until) } }, older);
  return until;
}

/** Extends a session to twelve hours from now; undefined if another has replaced it. */
export async function prolongDeskSession(
  tenant: Tenant,
  { id, cashboxId }: PosSession,
  at: Instant,
): Promise<Instant | undefined> {
  const until = at + DURATION_MS;
  const key = deskSessionKey(tenant, cashboxId);
  return (await updateOne(key, { set: termOf(until) }, equals('id', id))) ? until : undefined;
}

// The table's TTL deletes an item some time after `expires_at`, which is in seconds.
function termOf(until: Instant) {
  return { until, expires_at: Math.ceil(until / 1000) };
}
