import type { Staff } from '#lib/access/actor.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import * as desks from './desk.ts';
import { DeskMoney, deskMoneyKey } from './money.ts';

/** A desk and the money in it, as they were read at one moment. */
export interface DeskState extends Readonly<Pick<DeskRecord, 'id' | 'company_id' | 'type'>> {
  readonly money: DeskMoney;
}

/** A desk with its record, for answers. */
export interface DeskWithRecord extends DeskState {
  readonly record: DeskRecord;
}

type DeskRecord = Stored<typeof desks.Desk>;

/** Lists the keys of a desk and its money, for `deskIn`. */
export function deskKeys(actor: Staff, id: number): Key[] {
  return [desks.keyOf(actor, id), deskMoneyKey(actor.home, id)];
}

/**
 * Gives the desk that was read at `deskKeys`; undefined if it is not there or not open to the caller, and if
 * the caller has signed in at another till: a till's token moves the money of its own.
 */
export function deskIn(
  actor: Staff,
  [item, money]: readonly (Item | undefined)[],
): DeskWithRecord | undefined {
  const record = desks.ifVisible(actor, item);
  const isTheirTill = actor.pos === undefined || actor.pos.cashboxId === record?.id;
  return record && isTheirTill ? deskOf(record, money) : undefined;
}

/** Joins a desk's record and what was read of its money. */
export function deskOf(record: DeskRecord, money: Item | undefined): DeskWithRecord {
  const { id, company_id, type } = record;
  return { id, company_id, type, money: DeskMoney.parse(money), record };
}

/** Gives the place and company of postings at a desk. */
export function atDesk({ id, company_id }: Pick<DeskState, 'id' | 'company_id'>) {
  return { cashbox_id: id, company_id };
}
