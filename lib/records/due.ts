import { put, remove, type Write } from '#lib/table/change/write.ts';
import { familyTenant, type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Work of families that a scheduled worker does once its time has come: an item each, in the order of time.
 * It is put with the record that it is for, and removed in the transaction that does the work.
 */

/** A record with work to do, and the time from which it is due. */
export interface Due {
  readonly familyId: number;
  readonly id: number;
  readonly at: Instant;
}

/** Digits of a time in milliseconds until the year 5138. */
const TIME_DIGITS = 15;

/** Builds the write that plans work of a kind. */
export function dueWorkWrite(kind: string, due: Due): Write {
  return put(dueKey(kind, due), {});
}

/** Builds the write that removes work of a kind. */
export function dueEndWrite(kind: string, due: Due): Write {
  return remove(dueKey(kind, due));
}

/** Reads the work of a kind that is due by a time, the oldest first, a step at a time. */
export async function* readDue(kind: string, until: Instant): AsyncGenerator<Due[], undefined> {
  for await (const items of walk(partitionOf(kind), STEP)) {
    const all = items.map(({ sk }) => dueOf(String(sk)));
    const due = all.filter(({ at }) => at <= until);
    if (due.length > 0) yield due;
    if (due.length < all.length) return;
  }
}

/** Items per step. */
const STEP = 100;

/** Returns the tenant of a family with work. */
export function tenantOf({ familyId }: Pick<Due, 'familyId'>): Tenant {
  return familyTenant(familyId);
}

/** Returns the key of work of a kind. */
export function dueKey(kind: string, { at, familyId, id }: Due): Key {
  return {
    pk: partitionOf(kind),
    sk: `${String(at).padStart(TIME_DIGITS, '0')}#${padId(familyId)}#${padId(id)}`,
  };
}

function dueOf(sk: string): Due {
  const [at = 0, familyId = 0, id = 0] = sk.split('#').map(Number);
  return { at, familyId, id };
}

function partitionOf(kind: string): string {
  return `due#${kind}`;
}
