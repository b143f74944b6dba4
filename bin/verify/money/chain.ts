import { type DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { MONEY_KINDS, type MoneyKind } from '#lib/values/money.ts';
import { addTo } from '../frame/books.ts';

type Balances = StoredPosting['additional']['balances_after'];

/*
 * The postings of a desk form a chain from nothing to its money. It is not in the order of ids, but each
 * posting begins with what another has ended with.
 */

/** How often a posting ends with these sums, less how often one begins with them. */
export type Ends = Map<string, number>;

/** Adds a movement that left a desk with these balances. */
export function addLink(ends: Ends, moved: MoneyKind, change: number, after: Balances | undefined): void {
  const end = (kind: MoneyKind) => Math.round(Number(after?.[kind.payment_type][kind.currency] ?? 0) * 100);
  const begin = (kind: MoneyKind) => end(kind) - (kindText(kind) === kindText(moved) ? change : 0);
  addTo(ends, sumsText(end), 1);
  addTo(ends, sumsText(begin), -1);
}

/** Finds where a chain breaks that should lead from nothing to a desk's money. */
export function chainBreaks(ends: Ends, money: DeskMoney): string[] {
  const nothing = sumsText(() => 0);
  const all = sumsText((kind) => moneyIn(money, kind));
  const chain = new Map(ends);
  addTo(chain, nothing, 1);
  addTo(chain, all, -1);
  const broken = [...chain].filter(([, count]) => count !== 0);
  return broken.map(([text, count]) => `no posting ${count > 0 ? 'goes on from' : 'leads to'} ${text}`);
}

/** Names a kind of money: `cash uzs`. */
export function kindText({ payment_type, currency }: MoneyKind): string {
  return `${payment_type} ${currency}`;
}

function sumsText(sumOf: (kind: MoneyKind) => number): string {
  const sums = MONEY_KINDS.map((kind) => [kindText(kind), sumOf(kind)] as const);
  const present = sums.filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name} ${sum}`);
  return present.length > 0 ? present.join(', ') : 'nothing';
}
