import type { CopiedType } from '#lib/records/copied-type.ts';
import type { CopiedNoun } from './copy/copy.ts';
import { cashCopies } from './nouns/cash.ts';
import { catalogCopies } from './nouns/catalog.ts';
import { clientCopies } from './nouns/clients.ts';
import { peopleCopies } from './nouns/people.ts';
import { stockCopies } from './nouns/stock.ts';
import { tradeCopies } from './nouns/trade.ts';

/** All that is copied. */
export const COPIES: readonly CopiedNoun[] = [
  ...peopleCopies,
  ...catalogCopies,
  ...stockCopies,
  ...clientCopies,
  ...cashCopies,
  ...tradeCopies,
];

/** Finds how a type is copied. */
export function copyFor(type: CopiedType): CopiedNoun {
  const copy = COPIES.find((each) => each.type === type);
  if (!copy) throw new Error(`Nothing says how ${type} is copied`);
  return copy;
}
