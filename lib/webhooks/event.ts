import * as z from 'zod';
import { type Actor, hasRight } from '#lib/access/actor.ts';
import type { TableChange } from '#lib/table/feed/change.ts';
import type { Problems } from '#lib/values/problems.ts';

/** Types of records of which webhooks tell: those of copies. Part 4, 4.1, 4. */
const TYPES = [
  ...['company.company', 'user.user'],
  ...[
    'product',
    'category',
    'brand',
    'unit',
    'option',
    'specification',
    'service',
    'service-unit',
    'bundle',
  ].map((noun) => `product.${noun}`),
  ...['stock.stock', 'stock.product', 'stock.supplier', 'stock.supplier.operation'],
  ...['client.client', 'client.bonus-tariff', 'client.debt', 'client.debt-payment'],
  ...['cashbox.cashbox', 'cashbox.reason', 'cashbox.currency-rate', 'cashbox.operation.collection'],
  ...['cashbox.transfer', 'trade.sale', 'trade.sale.return', 'trade.hold', 'trade.purchase'],
  ...['trade.writeoff', 'trade.transfer', 'trade.inventory', 'trade.recalculation-batch'],
  'trade.cashbox-shift',
];

/** Words for what became of a record, as receivers are told them. */
const WORDS = { created: 'created', changed: 'updated', deleted: 'deleted', restored: 'restored' } as const;

/** Stands for all of them. */
const ANY = '*';

/** A kind of event that a webhook asks for: `trade.sale.created`, `trade.sale.*`. */
export const EventType = z.enum(
  TYPES.flatMap((type) => [...Object.values(WORDS), ANY].map((word) => `${type}.${word}`)),
);

/** Rights to list types that are not spelled as the type; null if none is asked for. */
const RIGHTS: Readonly<Record<string, string | null>> = {
  'company.company': null,
  'stock.supplier.operation': 'company.stock.supplier.operations',
  'cashbox.transfer': 'company.cashbox.cashbox.transfers',
};

/** Sums of other records are told by nobody: their products, debts and money are told by themselves. */
const TOLD_OF_SUMS = 'stock.product';

/** Names the event of a change; undefined if webhooks don't tell of it. */
export function eventFor({ type, action, isSum }: Pick<TableChange, 'type' | 'action' | 'isSum'>) {
  if (isSum && type !== TOLD_OF_SUMS) return undefined;
  return `${type}.${WORDS[action]}`;
}

/** Names the type of the record that an event, or a kind of events, is of. */
export function typeOfEvent(event: string): string {
  return event.slice(0, event.lastIndexOf('.'));
}

/** Tells whether who asked for these kinds of events is to be told of one. */
export function isWanted(types: readonly string[], event: string): boolean {
  return types.includes(event) || types.includes(`${typeOfEvent(event)}.${ANY}`);
}

/** Tells whether a caller has the right to list what an event is of. */
export function mayHearOf(actor: Actor, event: string): boolean {
  const type = typeOfEvent(event);
  const right = type in RIGHTS ? RIGHTS[type] : `company.${type}.index`;
  return !right || hasRight(actor, right);
}

/** Notes kinds of events that a caller may not hear of. Part 4, 4.2, 4. */
export function checkRights(actor: Actor, types: readonly string[], problems: Problems): void {
  for (const [index, type] of types.entries()) {
    if (!mayHearOf(actor, type)) problems.add(`types.${index}`, 'role.right_not_held');
  }
}
