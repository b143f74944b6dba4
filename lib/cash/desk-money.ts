import * as z from 'zod';
import { type Balances, balanceKey } from '#lib/records/balances.ts';
import { all, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/write.ts';
import { type Cents, Currency, PaymentType } from '#lib/values/money.ts';

/** A kind of money in a desk: cash in sums, dollars on cards. */
export interface Purse {
  readonly payment_type: PaymentType;
  readonly currency: Currency;
}

/** All kinds of money there are. */
export const PURSES: readonly Purse[] = PaymentType.options.flatMap((payment_type) =>
  Currency.options.map((currency) => ({ payment_type, currency })),
);

/** What a desk has of each kind of money, in 1/100, by `nameOf`. */
export const DeskMoney = z.object(Object.fromEntries(PURSES.map((purse) => [nameOf(purse), z.int().min(0)])));

export type DeskMoney = Readonly<z.output<typeof DeskMoney>>;

/** The attribute that a kind of money is held in. */
export function nameOf({ payment_type, currency }: Purse): string {
  return `${payment_type}_${currency}`;
}

/** The money of desks stands apart from them. */
export const DESK_MONEY: Balances = { of: 'cashbox', names: PURSES.map(nameOf) };

/** Where the money of a desk is. */
export function deskMoneyKey(home: Home, cashboxId: number): Key {
  return balanceKey(DESK_MONEY, home, cashboxId);
}

/** What a desk has of one kind of money. */
export function moneyIn(money: DeskMoney, purse: Purse): Cents {
  return money[nameOf(purse)] ?? 0;
}

/** The money after a change; undefined where a desk would have less than nothing. Decisions, 5. */
export function changedBy(money: DeskMoney, purse: Purse, change: Cents): DeskMoney | undefined {
  const after = moneyIn(money, purse) + change;
  return after < 0 ? undefined : { ...money, [nameOf(purse)]: after };
}

/** The write that brings a desk's money from what was read to what it is to be; `Contention` where it has changed since. */
export function deskMoneyWrite(home: Home, cashboxId: number, before: DeskMoney, after: DeskMoney): Write {
  const sums = Object.entries(before).map(([name, sum]) => equals(name, sum));
  const unchanged = all([...sums, equals('is_deleted', false)]);
  return update(deskMoneyKey(home, cashboxId), { set: { ...after } }, { if: unchanged });
}
