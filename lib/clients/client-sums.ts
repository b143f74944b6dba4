import * as z from 'zod';
import { areZero, type Counters, canTake, counterKey } from '#lib/records/links/counters.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { isThere } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, all, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { type Cents, Currency, MOST_AMOUNT, Money, totalAmount } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Day, Instant } from '#lib/values/time.ts';
import { type BonusChanges, Bonuses, bonusesAfter, bonusesOn, NO_BONUSES, waitingSum } from './bonuses.ts';

const DEBTS = Currency.options.map(debtIn);

/**
 * Counters of a client: the bonuses, and the debt in each currency. They change without the client's record.
 */
export const CLIENT_SUMS: Counters = {
  of: 'client',
  names: DEBTS,
  beside: { bonuses: {}, bonus_version: 0 },
  mayGo: { if: areZero(DEBTS), otherwise: refuse('client.owes') },
};

/** The sums as the table holds them. */
export const ClientSums = z.object({
  debt_uzs: z.int(),
  debt_usd: z.int(),
  debt_eur: z.int(),
  debt_rub: z.int(),
  is_deleted: z.boolean(),
  bonuses: z.partialRecord(Currency, Bonuses),
  /** One more with every change of the bonuses. */
  bonus_version: z.int(),
  /** When the newest of the client's debt payments was made, refunded or not. Decisions, 9 (53). */
  debt_paid_at: z.int().optional(),
});

export type ClientSums = Readonly<z.output<typeof ClientSums>>;

/** What a client had in bonuses, and owed in a document's currency, just before it. Decisions, 9 (29). */
export const ClientBefore = z.object({ bonus: Money, debt: Money });

/** A debt payment's change of what a client owes, or a refund's: below zero for a payment. */
export interface Repayment {
  readonly debt: Cents;
  readonly currency: Currency;
  /** When it was paid; left out by a refund. */
  readonly paidAt?: Instant;
}

/** A document's changes of a client's bonuses, and the debt that it adds. Decisions, 5. */
export interface Charge extends BonusChanges {
  readonly debt: Cents;
  readonly currency: Currency;
}

/** Gives a client's sums; undefined if the client is not there or has been deleted. */
export function clientSumsIn(item: Item | undefined): ClientSums | undefined {
  return isThere(item) ? ClientSums.parse(item) : undefined;
}

/** Gives the key of a client's sums. */
export function clientSumsKey(home: Home, clientId: number): Key {
  return counterKey(CLIENT_SUMS, home, clientId);
}

/** Embeds what the client of a document has and owes. */
export function clientSumsEmbed(home: Home): Embed {
  return reference('sums', ({ client_id }) => clientSumsKey(home, Number(client_id)));
}

/** Gives a client's bonuses of a currency as they are on a day. */
export function bonusesIn({ bonuses }: Pick<ClientSums, 'bonuses'>, currency: Currency, today: Day): Bonuses {
  return bonusesOn(bonuses[currency] ?? NO_BONUSES, today);
}

/** Tells whether a client has enough bonuses to spend on a day. */
export function hasBonus(sums: ClientSums, { spent, currency }: Charge, today: Day): boolean {
  return bonusesIn(sums, currency, today).spendable >= spent;
}

/** Tells whether a client's bonuses can grow by what a charge earns. */
export function canEarn(sums: ClientSums, charge: Charge, today: Day): boolean {
  const after = bonusesAfter(sums.bonuses[charge.currency] ?? NO_BONUSES, charge, today);
  return after.spendable + waitingSum(after) <= MOST_AMOUNT;
}

/** Tells whether a client's debt can grow by a charge. */
export function canOwe(sums: ClientSums, { debt, currency }: Pick<Charge, 'debt' | 'currency'>): boolean {
  return canTake({ [debtIn(currency)]: debt }).matches(sums);
}

/** Finds what a client has and owes before a document in this currency: nothing yet if the client is new. */
export function beforeDocument(
  sums: ClientSums | undefined,
  currency: Currency,
  today: Day,
): z.input<typeof ClientBefore> {
  if (!sums) return { bonus: 0, debt: 0 };
  const bonuses = bonusesIn(sums, currency, today);
  return { bonus: bonuses.spendable + waitingSum(bonuses), debt: sums[debtIn(currency)] };
}

/**
 * Builds the write of a charge on a day, one for all of it, as an item may come only once in a transaction;
 * none if there is nothing to charge. `Contention` if the client owes too much, has other bonuses or another
 * debt than were read, or has been deleted: of a deleted one, bonuses are only taken back.
 */
export function chargeWrites(
  { home, id }: { readonly home: Home; readonly id: number },
  sums: ClientSums,
  charge: Charge,
  today: Day,
): Write[] {
  const { debt, currency, spent, earned, takenBack = [] } = charge;
  const owed = debt === 0 ? {} : { [debtIn(currency)]: debt };
  const areBonusesLeft = spent === 0 && !earned && totalAmount(takenBack) === 0;
  if (areBonusesLeft && debt === 0) return [];
  const key = clientSumsKey(home, id);
  // Bonuses are taken back of a deleted client too: a restore would give them to spend again.
  const isOnlyTakenBack = debt === 0 && spent === 0 && !earned;
  // The document keeps what was owed before it.
  const guards = [
    ...(isOnlyTakenBack ? [] : [canTake(owed)]),
    equals(debtIn(currency), sums[debtIn(currency)]),
  ];
  if (areBonusesLeft) return [update(key, { add: owed }, { if: all(guards) })];
  const { bonuses, bonus_version } = sums;
  const after = bonusesAfter(bonuses[currency] ?? NO_BONUSES, charge, today);
  const changes = {
    set: { bonuses: { ...bonuses, [currency]: after }, bonus_version: bonus_version + 1 },
    add: owed,
  };
  return [update(key, changes, { if: all([...guards, equals('bonus_version', bonus_version)]) })];
}

/**
 * Builds the write by which a client owes what a payment or a refund leaves. It asks for the debt and the
 * latest payment that were read, as the last day of payments rests on them. `Contention` if they have
 * changed, or if the client has been deleted.
 */
export function repaymentWrite(
  { home, id }: { readonly home: Home; readonly id: number },
  sums: ClientSums,
  { debt, currency, paidAt }: Repayment,
): Write {
  const owed = { [debtIn(currency)]: debt };
  const latest = sums.debt_paid_at;
  const isLatest = latest === undefined ? absent('debt_paid_at') : equals('debt_paid_at', latest);
  const guards = [canTake(owed), equals(debtIn(currency), sums[debtIn(currency)]), isLatest];
  const set = paidAt === undefined ? {} : { debt_paid_at: Math.max(paidAt, latest ?? 0) };
  return update(clientSumsKey(home, id), { set, add: owed }, { if: all(guards) });
}

/** Names the sum of a client's debt in a currency. */
export function debtIn(currency: Currency): `debt_${Currency}` {
  return `debt_${currency}`;
}
