import * as z from 'zod';
import { areZero, type Counters, canTake, counterKey } from '#lib/records/counters.ts';
import { all, atLeast } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/transaction/write.ts';
import { type Cents, Currency } from '#lib/values/money.ts';
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
  ...Object.fromEntries(CLIENT_SUMS.names.map((name) => [name, z.int()])),
  is_deleted: z.boolean(),
});

type ClientSums = Readonly<z.output<typeof ClientSums>>;

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

/**
 * Builds the write of a charge, one for all of it, as an item may come only once in a transaction; none if
 * there is nothing to charge. `Contention` if the client has been deleted, has fewer bonuses, or owes too
 * much.
 */
export function chargeWrites(home: Home, clientId: number, { bonus, debt, currency }: Charge): Write[] {
  if (bonus === 0 && debt === 0) return [];
  const owed = { [debtIn(currency)]: debt };
  const guard = { if: all([canTake(owed), atLeast(SPENDABLE, bonus)]) };
  return [update(clientSumsKey(home, clientId), { add: { [SPENDABLE]: -bonus, ...owed } }, guard)];
}

/** Names the sum of a client's debt in a currency. */
export function debtIn(currency: Currency): string {
  return `debt_${currency}`;
}
