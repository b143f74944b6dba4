import * as z from 'zod';
import type { DeskWithRecord } from '#lib/cash/desk/desk.ts';
import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { type Moved, type Occasion, transfersOf, whyStuck } from '#lib/cash/transfer/make.ts';
import { type StoredTransfer, Transfer } from '#lib/cash/transfer/record.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A transfer with its desk. */
export type Answered = z.input<typeof Transfer>;

/** The two sides of a movement: the outcome, then the income. Decisions, 9 (63). */
export const BothSides = z.object({ data: z.array(Transfer) });

export type BothSides = z.input<typeof BothSides>;

/** A movement that was asked for: its money, the id of its transfer, and where in the body its amount is. */
export interface Move extends Moved {
  readonly id: number;
  readonly path: string;
}

/** Shows transfers with their desk, as operations answer. */
export function shownAt({ record }: DeskWithRecord, transfers: readonly StoredTransfer[]): Answered[] {
  return transfers.map((transfer) => ({ ...transfer, cashbox: record }));
}

/**
 * Makes the transfer of a movement. If the desk has too little or too much, that goes to `problems`, and
 * nothing moves.
 */
export function moveMoney(
  money: DeskMoney,
  { id, path, ...moved }: Move,
  occasion: Occasion,
  problems: Problems,
): { readonly money: DeskMoney; readonly transfers: StoredTransfer[] } {
  const made = transfersOf(money, [moved], occasion, id);
  if (made) return made;
  problems.add(path, whyStuck(money, moved));
  return { money, transfers: [] };
}

/** Finds the way by which a movement is taken back. */
export function oppositeOf({ type }: Pick<Moved, 'type'>): Moved['type'] {
  return type === 'income' ? 'outcome' : 'income';
}

/** Makes the 400 of a movement that no field asked for. */
export function stuck(money: DeskMoney, moved: Moved) {
  const { key, with: values } = whyStuck(money, moved);
  return refuse(key, values);
}
