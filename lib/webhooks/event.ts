import * as z from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { mayList } from '#lib/sync/right.ts';
import type { TableChange } from '#lib/table/feed/change.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Words for what became of a record, as receivers are told them. */
const WORDS = { created: 'created', changed: 'updated', deleted: 'deleted', restored: 'restored' } as const;

/** Stands for all of them. */
const ANY = '*';

/** A kind of event that a webhook asks for: `trade.sale.created`, `trade.sale.*`. */
export const EventType = z.enum(
  SyncType.options.flatMap((type) => [...Object.values(WORDS), ANY].map((word) => `${type}.${word}`)),
);

/** Sums of other records are told by nobody: their products, debts and money are told by themselves. */
const TOLD_OF_SUMS = 'stock.product';

/** Names the event of a change; undefined if webhooks don't tell of it. */
export function eventFor({ type, action, isSum }: Pick<TableChange, 'type' | 'action' | 'isSum'>) {
  if (isSum && type !== TOLD_OF_SUMS) return undefined;
  return `${type}.${WORDS[action]}`;
}

/** Names the type of the record that an event, or a kind of events, is of; undefined if that is no record. */
export function typeOfEvent(event: string): SyncType | undefined {
  return SyncType.safeParse(event.slice(0, event.lastIndexOf('.'))).data;
}

/** Tells whether who asked for these kinds of events is to be told of one. */
export function isSubscribed(types: readonly string[], event: string): boolean {
  return types.includes(event) || types.includes(`${typeOfEvent(event)}.${ANY}`);
}

/** Tells whether a caller has the right to list what an event is of. */
export function canReceive(actor: Actor, event: string): boolean {
  const type = typeOfEvent(event);
  return type !== undefined && mayList(actor, type);
}

/** Notes kinds of events that a caller may not hear of. Part 4, 4.2, 4. */
export function checkRights(actor: Actor, types: readonly string[], issues: ValidationIssues): void {
  for (const [index, type] of types.entries()) {
    if (!canReceive(actor, type)) issues.add(`types.${index}`, 'role.right_not_held');
  }
}
