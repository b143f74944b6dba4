import * as z from 'zod';
import { areZero, type Counters, counterKey } from '#lib/records/counters.ts';
import { all, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/transaction/write.ts';
import { type Cents, Currency, MOST_AMOUNT, PaymentType } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A kind of money in a desk: cash in sums, dollars on cards. */
export interface MoneyKind {
  readonly payment_type: PaymentType;
  readonly currency: Currency;
}

/** All kinds of money. */
export const MONEY_KINDS: readonly MoneyKind[] = PaymentType.options.flatMap((payment_type) =>
  Currency.options.map((currency) => ({ payment_type, currency })),
);

/** The money of a desk by kind, in 1/100, under `nameOf`. */
export const DeskMoney = z
  .object(Object.fromEntries(MONEY_KINDS.map((kind) => [nameOf(kind), z.int().min(0)])))
  .and(z.object({ version: z.int() }));

export type DeskMoney = Readonly<z.output<typeof DeskMoney>>;

/** Names the attribute of a kind of money. */
export function nameOf({ payment_type, currency }: MoneyKind): string {
  return `${payment_type}_${currency}`;
}

/** The counters of a desk's money, which are kept apart from the desk. */
export const DESK_MONEY: Counters = {
  of: 'cashbox',
  names: MONEY_KINDS.map(nameOf),
  mayGo: { if: areZero(MONEY_KINDS.map(nameOf)), otherwise: refuse('cashbox.not_empty') },
};

/** Gives the counters of a desk that belongs to a company. */
export function deskMoneyOf({ company_id }: { readonly company_id: number }): Counters {
  return { ...DESK_MONEY, beside: { version: 1, company_id } };
}

/** Gives the key of a desk's money. */
export function deskMoneyKey(home: Home, cashboxId: number): Key {
  return counterKey(DESK_MONEY, home, cashboxId);
}

/** Money of a desk that has none. */
export const NO_MONEY: DeskMoney = {
  ...Object.fromEntries(MONEY_KINDS.map((kind) => [nameOf(kind), 0])),
  version: 0,
};

/** What a desk has of one kind of money. */
export function moneyIn(money: DeskMoney, kind: MoneyKind): Cents {
  return money[nameOf(kind)] ?? 0;
}

/**
 * Computes the money after a change; undefined if a desk would have less than nothing, or too much.
 * Decisions, 5. Decisions, 8.
 */
export function changedBy(money: DeskMoney, kind: MoneyKind, change: Cents): DeskMoney | undefined {
  const after = moneyIn(money, kind) + change;
  return after < 0 || after > MOST_AMOUNT ? undefined : { ...money, [nameOf(kind)]: after };
}

/**
 * Builds the write that changes a desk's money from what was read; `Contention` if it has changed since.
 *
 * The version decides, not the sums. Money that comes in and goes out again leaves the sums as they were, but
 * it matters to whoever summed up the desk's transfers meanwhile. Whatever belongs to a desk's day writes
 * this item, even if it brings no money (a sale on debt). So the records of a day beside the sums can neither
 * miss nor double it. The company is asked for too: of two items that are read at once, the desk may be older
 * than its money.
 */
export function deskMoneyWrite(
  home: Home,
  { id, company_id }: { readonly id: number; readonly company_id: number },
  before: DeskMoney,
  after: DeskMoney,
): Write {
  const { version } = before;
  const unchanged = all([
    equals('version', version),
    equals('is_deleted', false),
    equals('company_id', company_id),
  ]);
  return update(deskMoneyKey(home, id), { set: { ...after, version: version + 1 } }, { if: unchanged });
}

/**
 * Builds the write of a desk's move to another company, after which whoever read the desk before reads it
 * again. 400 with money in it.
 */
export function deskMoveWrite(
  home: Home,
  { id, company_id }: { readonly id: number; readonly company_id: number },
): Write {
  const guard = { if: areZero(DESK_MONEY.names), otherwise: refuse('cashbox.moves_with_money') };
  return update(deskMoneyKey(home, id), { set: { company_id }, add: { version: 1 } }, guard);
}
