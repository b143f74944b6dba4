import * as z from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { mayList, rightFor } from '#lib/sync/right.ts';
import type { TableChange } from '#lib/table/feed/change.ts';
import { ENUMERATION, EVENTS } from '#lib/values/enumeration.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Event suffix by action. */
const WORDS = { created: 'created', changed: 'updated', deleted: 'deleted', restored: 'restored' } as const;

/** Matches every action. */
const ANY = '*';

/** An event type to subscribe to: `trade.sale.created`, `trade.sale.*`. */
export const EventType = z
  .enum(SyncType.options.flatMap((type) => [...Object.values(WORDS), ANY].map((word) => `${type}.${word}`)))
  .meta({ [ENUMERATION]: EVENTS });

/**
 * The only type whose counters make events: those of other records are covered by events of their products,
 * debts and money.
 */
const WITH_COUNTERS = 'stock.product';

/** Returns the event type of a change; undefined if webhooks do not deliver it. */
export function eventFor({ type, action, isSum }: Pick<TableChange, 'type' | 'action' | 'isSum'>) {
  if (isSum && type !== WITH_COUNTERS) return undefined;
  return `${type}.${WORDS[action]}`;
}

/** Returns the record type of an event type; undefined if it has none. */
export function typeOfEvent(event: string): SyncType | undefined {
  return SyncType.safeParse(event.slice(0, event.lastIndexOf('.'))).data;
}

/** Returns whether a subscription to these event types covers an event. */
export function isSubscribed(types: readonly string[], event: string): boolean {
  return types.includes(event) || types.includes(`${typeOfEvent(event)}.${ANY}`);
}

/** Returns whether a caller has the right to list the record type of an event. */
export function canReceive(actor: Actor, event: string): boolean {
  const type = typeOfEvent(event);
  return type !== undefined && mayList(actor, type);
}

function rightOfEvent(event: string): string | null {
  const type = typeOfEvent(event);
  return type === undefined ? null : rightFor(type);
}

/** Adds an issue for each event type that the caller may not receive. Part 4, 4.2, 4. */
export function checkRights(actor: Actor, types: readonly string[], issues: ValidationIssues): void {
  for (const [index, type] of types.entries()) {
    const right = rightOfEvent(type);
    if (!canReceive(actor, type))
      issues.add(`types.${index}`, { key: 'role.right_not_held', ...(right && { with: { right } }) });
  }
}
