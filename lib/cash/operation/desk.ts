import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import * as cashboxes from '#lib/cash/desk/cashbox.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { type Moved, type Occasion, transfersOf, whyStuck } from '#lib/cash/transfer/make.ts';
import { type StoredTransfer, Transfer } from '#lib/cash/transfer/record.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A desk as it was read by whoever moves its money. */
export interface MovedDesk {
  readonly id: number;
  readonly company_id: number;
  readonly type: 'main' | 'sale';
  readonly money: DeskMoney;
  /** Its record, for answers. */
  readonly record: Stored<typeof cashboxes.Cashbox>;
}

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

/** Gives the keys of a desk and its money. */
export function movedDeskKeys(actor: Staff, id: number): Key[] {
  return [cashboxes.keyOf(actor, id), deskMoneyKey(actor.home, id)];
}

/** Gives the desk that was read at these keys; undefined if it is not open to the caller. */
export function movedDeskIn(actor: Staff, [item, money]: readonly (Item | undefined)[]) {
  const record = cashboxes.ifVisible(actor, item);
  if (!record) return undefined;
  const { id, company_id, type } = record;
  return { id, company_id, type, money: DeskMoney.parse(money), record };
}

/** Gives the fields that tell the place and company of transfers at a desk. */
export function atDesk({ id, company_id }: Pick<MovedDesk, 'id' | 'company_id'>) {
  return { cashbox_id: id, company_id };
}

/** Shows transfers with their desk, as operations answer. */
export function shownAt({ record }: MovedDesk, transfers: readonly StoredTransfer[]): Answered[] {
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
