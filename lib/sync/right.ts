import { type Actor, hasRight, isGivenRight } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';

/** Rights that are not spelled as the type is. */
const RIGHTS: Partial<Readonly<Record<SyncType, string | null>>> = {
  'company.company': null,
  'stock.supplier.operation': 'company.stock.supplier.operations',
  'cashbox.transfer': 'company.cashbox.cashbox.transfers',
};

/** Names the right that lists a type, which its copies and its webhooks need; null if none does. */
export function rightFor(type: SyncType): string | null {
  const special = RIGHTS[type];
  return special === undefined ? `company.${type}.index` : special;
}

/** Tells whether a caller may list a type. */
export function mayList(actor: Actor, type: SyncType): boolean {
  const right = rightFor(type);
  return right === null || hasRight(actor, right);
}

/** Tells whether a caller may copy a type: what they may list, and a key users by its role. Part 4, 4.3. */
export function mayCopy(actor: Actor, type: SyncType): boolean {
  const right = rightFor(type);
  return right === null || isGivenRight(actor, right);
}
