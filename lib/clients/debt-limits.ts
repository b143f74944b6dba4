import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { counterWrites } from '#lib/records/links/counters.ts';
import type { Deletable } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, any, atLeast, type Expression } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { amount, byCurrency, Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Span, spansIn } from '#lib/values/value-history.ts';
import {
  CLIENT_BALANCES,
  type ClientBalances,
  clientBalancesKey,
  debtIn,
  limitIn,
} from './client-balances.ts';

/*
 * A client's limits are stored both in the client, for readers, and beside the debts: the write that
 * increases a debt is conditional on the debt and its limit. Concurrent sales thus never exceed a limit
 * together, and a lowered limit applies from its commit. Part 4, 4.6, 2.
 */

/** Right to exceed a client's limit, and to change it. */
export const EXCEED = 'company.client.client.exceed-limit';

/** Debt limit in each currency; null if unlimited. */
export const DebtLimits = z.object(byCurrency(() => Money.nullable()));

export type DebtLimits = z.input<typeof DebtLimits>;

/** Limits changed by a form; absent ones stay. */
export const DebtLimitsInput = z.object(byCurrency(() => amount(0).nullable().optional())).optional();

/** Limits of a new client: none. */
export const NO_LIMITS: DebtLimits = byCurrency(() => null);

/** Checks whether a caller may let clients exceed their limits. */
export function canExceedLimit(actor: Staff): boolean {
  return hasRight(actor, EXCEED);
}

/** Computes a client's limits after a form; a change without the right goes to `issues`. */
export function limitsAfter(
  actor: Staff,
  before: DebtLimits | undefined,
  requested: z.output<typeof DebtLimitsInput>,
  issues: ValidationIssues,
): DebtLimits {
  const had = before ?? NO_LIMITS;
  const after = byCurrency((currency) => {
    const limit = requested?.[currency];
    return limit === undefined ? had[currency] : limit;
  });
  const areSame = Currency.options.every((currency) => had[currency] === after[currency]);
  if (!areSame && !canExceedLimit(actor))
    issues.add('debt_limits', { key: 'client.limits_forbidden', with: { right: EXCEED } });
  return after;
}

/** Computes a client's remaining limit in a currency, never negative; null if unlimited. */
export function roomToOwe(sums: ClientBalances, currency: Currency): MinorUnits | null {
  const limit = sums[limitIn(currency)];
  return limit === undefined ? null : Math.max(0, limit - sums[debtIn(currency)]);
}

/**
 * Computes the remaining limit by the limits valid in a given second, the highest of them; null if unlimited.
 */
export function roomThen(
  limits: readonly Span<DebtLimits>[],
  second: Instant,
  sums: ClientBalances,
  currency: Currency,
): MinorUnits | null {
  const limitsThen = spansIn(limits, second).map(({ value }) => value[currency] ?? Number.POSITIVE_INFINITY);
  const room = Math.max(0, ...limitsThen) - sums[debtIn(currency)];
  return room === Number.POSITIVE_INFINITY ? null : Math.max(0, room);
}

/** Returns the condition that a client may owe the amount in a currency. */
export function isWithinLimit(currency: Currency, owed: MinorUnits): Expression {
  const limit = limitIn(currency);
  return any([absent(limit), atLeast(limit, owed)]);
}

interface Limited extends Deletable {
  readonly id: number;
  readonly debt_limits: DebtLimits;
}

/**
 * Builds the writes of a client's balances for a change of the client: they are created, deleted and restored
 * with it, and store its limits.
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
  // An edit neither deletes nor restores, so the item is written once.
  return [...writes, update(clientBalancesKey(tenant, after.id), { set, unset })];
}
