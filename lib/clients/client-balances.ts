import * as z from 'zod';
import { areZero, type Counters, counterKey } from '#lib/records/links/counters.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { isPresent } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, all, any, type Expression, equals } from '#lib/table/expression.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import type { Day } from '#lib/values/time.ts';
import { Bonuses, bonusesOn, NO_BONUSES, waitingSum } from './bonuses.ts';

const DEBTS = Currency.options.map(debtIn);

/**
 * Counters of a client: bonuses, and the debt and the deposit in each currency. They change without the
 * client's record. A deposit is absent until there has been one.
 */
export const CLIENT_BALANCES: Counters = {
  of: 'client',
  names: DEBTS,
  beside: { bonuses: {}, bonus_version: 0 },
  mayGo: {
    if: all([areZero(DEBTS), ...Currency.options.map((currency) => hasDepositOf(currency, 0))]),
    otherwise: badRequest('client.owes'),
  },
};

/** Stored balances. */
export const ClientBalances = z.object({
  debt_uzs: z.int(),
  debt_usd: z.int(),
  debt_eur: z.int(),
  debt_rub: z.int(),
  /** Debt limit; absent if unlimited. */
  debt_limit_uzs: z.int().optional(),
  debt_limit_usd: z.int().optional(),
  debt_limit_eur: z.int().optional(),
  debt_limit_rub: z.int().optional(),
  /** Deposit, never negative. Part 5, 5A.6. */
  deposit_uzs: z.int().min(0).default(0),
  deposit_usd: z.int().min(0).default(0),
  deposit_eur: z.int().min(0).default(0),
  deposit_rub: z.int().min(0).default(0),
  is_deleted: z.boolean(),
  bonuses: z.partialRecord(Currency, Bonuses),
  /** Incremented with every change of the bonuses. */
  bonus_version: z.int(),
  /** Time of the client's newest debt payment, refunded or not. Contract 9.53. */
  debt_paid_at: z.int().optional(),
});

export type ClientBalances = Readonly<z.output<typeof ClientBalances>>;

/** A client's bonuses, debt and deposit in a document's currency, just before the document. Contract 9.29. */
export const ClientBefore = z.object({ bonus: Money, debt: Money, deposit: Money.default(0) });

/** Parses a client's balances; undefined if the client does not exist or is deleted. */
export function clientBalancesIn(item: Item | undefined): ClientBalances | undefined {
  return isPresent(item) ? ClientBalances.parse(item) : undefined;
}

/** Returns the key of a client's balances. */
export function clientBalancesKey(tenant: Tenant, clientId: number): Key {
  return counterKey(CLIENT_BALANCES, tenant, clientId);
}

/** Embeds the balances of a document's client. */
export function clientBalancesEmbed(tenant: Tenant): Embed {
  return reference('sums', ({ client_id }) => clientBalancesKey(tenant, Number(client_id)));
}

/** Returns a client's bonuses in a currency on a day. */
export function bonusesIn(
  { bonuses }: Pick<ClientBalances, 'bonuses'>,
  currency: Currency,
  today: Day,
): Bonuses {
  return bonusesOn(bonuses[currency] ?? NO_BONUSES, today);
}

/** Computes a client's balances before a document in this currency: zero for a new client. */
export function beforeDocument(
  sums: ClientBalances | undefined,
  currency: Currency,
  today: Day,
): z.input<typeof ClientBefore> {
  if (!sums) return { bonus: 0, debt: 0 };
  const bonuses = bonusesIn(sums, currency, today);
  const bonus = bonuses.spendable + waitingSum(bonuses);
  const deposit = sums[depositIn(currency)];
  return { bonus, debt: sums[debtIn(currency)], ...(deposit !== 0 && { deposit }) };
}

/** Returns the field of a client's debt limit in a currency. */
export function limitIn(currency: Currency): `debt_limit_${Currency}` {
  return `debt_limit_${currency}`;
}

/** Returns the field of a client's deposit in a currency. */
export function depositIn(currency: Currency): `deposit_${Currency}` {
  return `deposit_${currency}`;
}

/** Returns the condition that a client's deposit in a currency is this amount. */
export function hasDepositOf(currency: Currency, amount: MinorUnits): Expression {
  const is = equals(depositIn(currency), amount);
  return amount === 0 ? any([absent(depositIn(currency)), is]) : is;
}

/** Returns the field of a client's debt in a currency. */
export function debtIn(currency: Currency): `debt_${Currency}` {
  return `debt_${currency}`;
}
