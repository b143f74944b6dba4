import type { SyncType } from '#lib/records/sync-type.ts';
import type { CopiedNoun } from './copy/copy.ts';
import { cashCopies } from './nouns/cash.ts';
import { catalogCopies } from './nouns/catalog.ts';
import { clientCopies } from './nouns/clients.ts';
import { peopleCopies } from './nouns/people.ts';
import { stockCopies } from './nouns/stock.ts';
import { tradeCopies } from './nouns/trade.ts';

/** All that is copied. */
const COPIES: Readonly<Record<SyncType, () => CopiedNoun>> = {
  ...peopleCopies,
  ...catalogCopies,
  ...stockCopies,
  ...clientCopies,
  ...cashCopies,
  ...tradeCopies,
};

const made = new Map<SyncType, CopiedNoun>();

/** Finds how a type is copied. */
export function copyFor(type: SyncType): CopiedNoun {
  const copy = made.get(type) ?? COPIES[type]();
  made.set(type, copy);
  return copy;
}
