import * as z from 'zod';
import { areZero, type Counters, canTake, counterKey } from '#lib/records/counters.ts';
import { all, atLeast, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/transaction/write.ts';
import { type Cents, Currency, Money } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A client's bonuses, by the fields that show them. */
export const BONUSES = ['bonus_entries_amount', 'bonus_accumulations_amount'] as const;

const SPENDABLE = 'bonus_accumulations_amount';

const DEBTS = Currency.options.map(debtIn);

/**
 * Counters of a client: the bonuses, and the debt in each currency. They change without the client's record.
 */
export const CLIENT_SUMS: Counters = {
  of: 'client',
  names: [...BONUSES, ...DEBTS],
  mayGo: { if: areZero(DEBTS), otherwise: refuse('client.owes') },
};

/** The sums as the table holds them. */
export const ClientSums = z.object({
  bonus_entries_amount: z.int(),
  bonus_accumulations_amount: z.int(),
  debt_uzs: z.int(),
  debt_usd: z.int(),
  debt_eur: z.int(),
  debt_rub: z.int(),
  is_deleted: z.boolean(),
});

export type ClientSums = Readonly<z.output<typeof ClientSums>>;

/** What a client had in bonuses, and owed in a document's currency, just before it. Decisions, 9 (29). */
export const ClientBefore = z.object({ bonus: Money, debt: Money });

/** A document's use of a client's bonuses, and the debt that it adds. Decisions, 5. */
export interface Charge {
  readonly bonus: Cents;
  readonly debt: Cents;
  readonly currency: Currency;
}

/** Gives the key of a client's sums. */
export function clientSumsKey(home: Home, clientId: number): Key {
  return counterKey(CLIENT_SUMS, home, clientId);
}

/** Tells whether a client has this many bonuses to spend. */
export function hasBonus(sums: ClientSums, bonus: Cents): boolean {
  return atLeast(SPENDABLE, bonus).holds(sums);
}

/** Tells whether a client's debt can grow by a charge. */
export function canOwe(sums: ClientSums, { debt, currency }: Charge): boolean {
  return canTake({ [debtIn(currency)]: debt }).holds(sums);
}

/** Finds what a client has and owes before a document in this currency: nothing yet if the client is new. */
export function beforeDocument(
  sums: ClientSums | undefined,
  currency: Currency,
): z.input<typeof ClientBefore> {
  const bonuses = BONUSES.map((name) => sums?.[name] ?? 0);
  return { bonus: bonuses.reduce((sum, each) => sum + each, 0), debt: sums?.[debtIn(currency)] ?? 0 };
}

/**
 * Builds the write of a charge, one for all of it, as an item may come only once in a transaction; none if
 * there is nothing to charge. `Contention` if the client has been deleted, or the sums are not those that
 * were read: documents keep what they were before.
 */
export function chargeWrites(
  home: Home,
  clientId: number,
  { bonus, debt, currency }: Charge,
  read: ClientSums | undefined,
): Write[] {
  if (bonus === 0 && debt === 0) return [];
  const owed = { [debtIn(currency)]: debt };
  const same = [...BONUSES, debtIn(currency)].map((name) => equals(name, read?.[name] ?? 0));
  const guard = { if: all([canTake(owed), atLeast(SPENDABLE, bonus), ...same]) };
  return [update(clientSumsKey(home, clientId), { add: { [SPENDABLE]: -bonus, ...owed } }, guard)];
}

/** Names the sum of a client's debt in a currency. */
export function debtIn(currency: Currency): `debt_${Currency}` {
  return `debt_${currency}`;
}
