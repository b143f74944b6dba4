import type { SyncType } from '#lib/records/sync-type.ts';
import type { SyncDefinition } from './definition/definition.ts';
import { cashSync } from './types/cash.ts';
import { catalogSync } from './types/catalog.ts';
import { clientSync } from './types/clients.ts';
import { peopleSync } from './types/people.ts';
import { stockSync } from './types/stock.ts';
import { tradeSync } from './types/trade.ts';

/** Sync definitions of all types. */
const COPIES: Readonly<Record<SyncType, () => SyncDefinition>> = {
  ...peopleSync,
  ...catalogSync,
  ...stockSync,
  ...clientSync,
  ...cashSync,
  ...tradeSync,
};

const made = new Map<SyncType, SyncDefinition>();

/** Returns the sync definition of a type. */
export function syncDefinitionOf(type: SyncType): SyncDefinition {
  const copy = made.get(type) ?? COPIES[type]();
  made.set(type, copy);
  return copy;
}
