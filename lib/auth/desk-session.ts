import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import type { PosSession } from './actor.ts';

const PROLONGED = 12 * 3_600_000;

/** A desk has one item, so the session of a second sign-in replaces that of the first. */
const Held = z.object({ id: z.int(), until: z.number() });

/** Gives the key of a desk's session. */
export function deskSessionKey(tenant: Tenant, cashboxId: number): Key {
  return recordKey('pos-session', tenant, cashboxId);
}

/** Tells what a token's session is by now, from the item at `deskSessionKey`. */
export function deskSession(item: unknown, id: number, cashboxId: number, at: Instant): PosSession {
  const held = Held.safeParse(item).data;
  return { id, cashboxId, isActive: held?.id === id && held.until > at };
}

/**
 * Begins a session, which ends an earlier one. Of two at the same moment the one with the higher id stays.
 */
export async function beginDeskSession(
  tenant: Tenant,
  cashboxId: number,
  id: number,
  at: Instant,
): Promise<Instant> {
  const until = at + PROLONGED;
  const older = any([absent('id'), lessThan('id', id)]);
  await updateOne(deskSessionKey(tenant, cashboxId), { set: { id, ...termOf(until) } }, older);
  return until;
}

/** Prolongs a session to twelve hours from now; undefined if another has taken its place. */
export async function prolongDeskSession(
  tenant: Tenant,
  { id, cashboxId }: PosSession,
  at: Instant,
): Promise<Instant | undefined> {
  const until = at + PROLONGED;
  const key = deskSessionKey(tenant, cashboxId);
  return (await updateOne(key, { set: termOf(until) }, equals('id', id))) ? until : undefined;
}

// The table removes an item some time after `expires_at`, which is in seconds.
function termOf(until: Instant) {
  return { until, expires_at: Math.ceil(until / 1000) };
}
