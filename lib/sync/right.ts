import { type Actor, hasRight, isGivenRight } from '#lib/auth/actor.ts';
import { SyncType } from '#lib/records/sync-type.ts';

/** Right to list a type. */
type ListRight = `company.${string}`;

/** Rights not named after their type. */
const RIGHTS: Partial<Readonly<Record<SyncType, ListRight | null>>> = {
  'company.company': null,
  'stock.supplier.operation': 'company.stock.supplier.operations',
  'cashbox.transfer': 'company.cashbox.cashbox.transfers',
};

/** Returns the right to list a type, required by its sync and its webhooks; null if none is required. */
export function rightFor(type: SyncType): ListRight | null {
  const special = RIGHTS[type];
  return special === undefined ? `company.${type}.index` : special;
}

/** Rights to list the types, with the field that asks for them: the types to sync, or of events. */
export const LIST_RIGHTS = Object.fromEntries(
  SyncType.options.flatMap((type) => rightFor(type) ?? []).map((right) => [right, 'types']),
);

/** Returns whether a caller may list a type. */
export function mayList(actor: Actor, type: SyncType): boolean {
  const right = rightFor(type);
  return right === null || hasRight(actor, right);
}

/**
 * Returns whether a caller may sync a type: one they may list, and users for an API key whose role has the
 * right. Part 4, 4.3.
 */
export function mayCopy(actor: Actor, type: SyncType): boolean {
  const right = rightFor(type);
  return right === null || isGivenRight(actor, right);
}
