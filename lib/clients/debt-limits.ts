import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { counterWrites } from '#lib/records/links/counters.ts';
import type { Deletable } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, any, atLeast, type Expression } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { invalid } from '#lib/values/api-error.ts';
import { amount, byCurrency, Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { History, mapSpans, type Span, spansIn } from '#lib/values/value-history.ts';
import {
  CLIENT_BALANCES,
  type ClientBalances,
  clientBalancesKey,
  debtIn,
  limitIn,
} from './client-balances.ts';

/*
 * A client's limits stand with the client, for who reads it, and beside the debts that they limit: a sale
 * asks for both in the condition of the write by which the debt grows. So two sales never pass a limit
 * together, and one that is lowered meanwhile holds from its commit on. Part 4, 4.6, 2.
 */

/** To let a client owe more than the limit, and to change it. */
const EXCEED = 'company.client.client.exceed-limit';

/** How much a client may owe in each currency; null if as much as they like. */
export const DebtLimits = z.object(byCurrency(() => Money.nullable()));

export type DebtLimits = z.input<typeof DebtLimits>;

/** Those of them that a form changes. */
export const DebtLimitsInput = z.object(byCurrency(() => amount(0).nullable().optional())).optional();

const Limit = z.int().nullable();
const Kept = z.tuple([Limit, Limit, Limit, Limit]);

const history = new History(
  Kept,
  ({ debt_limits: { uzs, usd, eur, rub } }: { readonly debt_limits: DebtLimits }): z.output<typeof Kept> => {
    return [uzs, usd, eur, rub];
  },
);

/** Keeps what a client's limits were before a change. */
export const keepLimits = history.keep.bind(history);

const NO_LIMITS: DebtLimits = byCurrency(() => null);

/** Tells whether a caller may let clients owe more than their limits. */
export function canExceedLimit(actor: Staff): boolean {
  return hasRight(actor, EXCEED);
}

/** Gives a client's limits as a form leaves them. 422 if it changes any, and the caller may not. */
export function limitsAfter(
  actor: Staff,
  before: DebtLimits | undefined,
  asked: z.output<typeof DebtLimitsInput>,
): DebtLimits {
  const had = before ?? NO_LIMITS;
  const after = byCurrency((currency) => {
    const limit = asked?.[currency];
    return limit === undefined ? had[currency] : limit;
  });
  const areSame = Currency.options.every((currency) => had[currency] === after[currency]);
  if (!areSame && !canExceedLimit(actor)) throw invalid({ debt_limits: 'client.limits_forbidden' });
  return after;
}

/** Computes how much more a client may owe in a currency, never below 0; null without a limit. */
export function roomToOwe(sums: ClientBalances, currency: Currency): MinorUnits | null {
  const limit = sums[limitIn(currency)];
  return limit === undefined ? null : Math.max(0, limit - sums[debtIn(currency)]);
}

/** Lists what a client's limits have been, the present first. */
export function limitSpans(client: { readonly debt_limits: DebtLimits }): Span<DebtLimits>[] {
  return mapSpans(history.spans(client), (limits) => byCurrency((_, index) => limits[index] ?? null));
}

/** Computes in the same way how much more a client may owe by the limits of a second, the highest of them. */
export function roomThen(
  limits: readonly Span<DebtLimits>[],
  second: Instant,
  sums: ClientBalances,
  currency: Currency,
): MinorUnits | null {
  const held = spansIn(limits, second).map(({ value }) => value[currency] ?? Number.POSITIVE_INFINITY);
  const room = Math.max(0, ...held) - sums[debtIn(currency)];
  return room === Number.POSITIVE_INFINITY ? null : Math.max(0, room);
}

/** Holds if a client may owe so much in a currency. */
export function isWithinLimit(currency: Currency, owed: MinorUnits): Expression {
  const limit = limitIn(currency);
  return any([absent(limit), atLeast(limit, owed)]);
}

interface Limited extends Deletable {
  readonly id: number;
  readonly debt_limits: DebtLimits;
}

/**
 * Builds the writes of a client's sums beside the client: they begin and end with it, and have its limits.
 */
export function clientBalancesWrites(tenant: Tenant, before: Limited | undefined, after: Limited): Write[] {
  const limits = Currency.options.map(
    (currency) => [limitIn(currency), after.debt_limits[currency]] as const,
  );
  const set = Object.fromEntries(limits.filter(([, limit]) => limit !== null));
  const beside = { ...CLIENT_BALANCES.beside, ...set };
  const writes = counterWrites({ ...CLIENT_BALANCES, beside }, tenant, before, after);
  const areSame =
    !before || Currency.options.every((each) => before.debt_limits[each] === after.debt_limits[each]);
  if (areSame) return writes;
  const unset = limits.filter(([, limit]) => limit === null).map(([name]) => name);
  // An edit neither deletes nor restores, so that the item comes once.
  return [...writes, update(clientBalancesKey(tenant, after.id), { set, unset })];
}
