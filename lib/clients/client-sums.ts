import * as z from 'zod';
import { areZero, type Counters, canTake, counterKey } from '#lib/records/counters.ts';
import { all, atLeast } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/transaction/write.ts';
import { type Cents, Currency } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A client's bonuses, by the fields they are shown in. */
export const BONUSES = ['bonus_entries_amount', 'bonus_accumulations_amount'] as const;

const SPENDABLE = 'bonus_accumulations_amount';

const DEBTS = Currency.options.map(debtIn);

/** What a client has in bonuses and owes in each currency, which changes without the client's record. */
export const CLIENT_SUMS: Counters = {
  of: 'client',
  names: [...BONUSES, ...DEBTS],
  mayGo: { if: areZero(DEBTS), otherwise: refuse('client.owes') },
};

/** The sums as they are kept. */
export const ClientSums = z.object({
  ...Object.fromEntries(CLIENT_SUMS.names.map((name) => [name, z.int()])),
  is_deleted: z.boolean(),
});

type ClientSums = Readonly<z.output<typeof ClientSums>>;

/** What a document takes of a client's bonuses, and what the client owes more by it. Decisions, 5. */
export interface Charge {
  readonly bonus: Cents;
  readonly debt: Cents;
  readonly currency: Currency;
}

/** Where the sums of a client are. */
export function clientSumsKey(home: Home, clientId: number): Key {
  return counterKey(CLIENT_SUMS, home, clientId);
}

/** Tells whether a client has as many bonuses to spend. */
export function hasBonus(sums: ClientSums, bonus: Cents): boolean {
  return atLeast(SPENDABLE, bonus).holds(sums);
}

/** Tells whether what a client owes can grow by so much. */
export function canOwe(sums: ClientSums, { debt, currency }: Charge): boolean {
  return canTake({ [debtIn(currency)]: debt }).holds(sums);
}

/**
 * The write of a charge, one for all of it, as an item may come once in a transaction: none if there is nothing to
 * charge; `Contention` if the client is deleted by now, has fewer bonuses, or owes too much.
 */
export function chargeWrites(home: Home, clientId: number, { bonus, debt, currency }: Charge): Write[] {
  if (bonus === 0 && debt === 0) return [];
  const owed = { [debtIn(currency)]: debt };
  const guard = { if: all([canTake(owed), atLeast(SPENDABLE, bonus)]) };
  return [update(clientSumsKey(home, clientId), { add: { [SPENDABLE]: -bonus, ...owed } }, guard)];
}

/** The sum of what a client owes in a currency. */
export function debtIn(currency: Currency): string {
  return `debt_${currency}`;
}
