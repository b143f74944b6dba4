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

/** Rights that are not spelled as the type is. */
const RIGHTS: Partial<Readonly<Record<CopiedType, string | null>>> = {
  'company.company': null,
  'stock.supplier.operation': 'company.stock.supplier.operations',
  'cashbox.transfer': 'company.cashbox.cashbox.transfers',
};

/** Names the right that lists a type, which its copies need; null if none does. */
export function rightFor(type: CopiedType): string | null {
  const special = RIGHTS[type];
  return special === undefined ? `company.${type}.index` : special;
}
