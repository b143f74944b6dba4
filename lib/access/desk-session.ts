import * as z from 'zod';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { updateOne } from '#lib/table/transaction/single.ts';
import type { Instant } from '#lib/values/time.ts';
import type { PosSession } from './actor.ts';

const PROLONGED = 12 * 3_600_000;

/** A desk has one item, so that the session of a second sign-in stands in the place of the first. */
const Held = z.object({ id: z.int(), until: z.number() });

/** Where the session of a desk is. */
export function deskSessionKey(home: Home, cashboxId: number): Key {
  return recordKey('pos-session', home, cashboxId);
}

/** What a token's session is by now, of the item at `deskSessionKey`. */
export function deskSession(item: unknown, id: number, cashboxId: number, at: Instant): PosSession {
  const held = Held.safeParse(item).data;
  return { id, cashboxId, isActive: held?.id === id && held.until > at };
}

/** Begins a session, which ends the one there was; of two at the same moment the one with the higher id stays. */
export async function beginDeskSession(
  home: Home,
  cashboxId: number,
  id: number,
  at: Instant,
): Promise<Instant> {
  const until = at + PROLONGED;
  const older = any([absent('id'), lessThan('id', id)]);
  await updateOne(deskSessionKey(home, cashboxId), { set: { id, ...termOf(until) } }, older);
  return until;
}

/** Lets a session last for twelve hours from now; undefined where another has taken its place. */
export async function prolongDeskSession(
  home: Home,
  { id, cashboxId }: PosSession,
  at: Instant,
): Promise<Instant | undefined> {
  const until = at + PROLONGED;
  const key = deskSessionKey(home, cashboxId);
  return (await updateOne(key, { set: termOf(until) }, equals('id', id))) ? until : undefined;
}

// The table removes what has passed `expires_at`, which is in seconds, some time later.
function termOf(until: Instant) {
  return { until, expires_at: Math.ceil(until / 1000) };
}
