import type { Staff } from '#lib/auth/actor.ts';
import { canExceedLimit, roomThen, roomToOwe } from '#lib/clients/debt-limits.ts';
import { collectPriceIssues } from '#lib/trade/pricing/price.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { SaleInput } from './input.ts';
import type { SettledPayments } from './payments.ts';
import type { SaleContext } from './sale-context.ts';

/** Who lends, and whether that may pass the client's limit. */
export interface Lender extends Pick<SaleInput, 'exceed_limit'> {
  readonly actor: Staff;
  /** The moment of a late sale: its limit counts if it was higher. */
  readonly second?: Instant | undefined;
}

/**
 * Limits what payments lend a client, unless the body and the caller's right allow for more. A debt above the
 * limit goes to `problems` with what is left. Part 4, 4.6, 2.
 */
export function enforceDebtLimit(
  { actor, exceed_limit, second }: Lender,
  payments: SettledPayments,
  { clientSums, limits }: Pick<SaleContext, 'clientSums' | 'limits'>,
  issues: ValidationIssues,
): SettledPayments {
  const { charge, transactions } = payments;
  const left = clientSums && roomToOwe(clientSums, charge.currency);
  if (!clientSums || left === undefined || left === null || charge.debt <= left) return payments;
  const then = second === undefined ? left : roomThen(limits, second, clientSums, charge.currency);
  const wasAllowed = then === null || charge.debt <= then;
  if (wasAllowed || (exceed_limit && canExceedLimit(actor)))
    return { ...payments, charge: { ...charge, mayExceed: true } };
  if (exceed_limit) issues.add('exceed_limit', 'sale.exceed_forbidden');
  const tooMuch = { key: 'sale.debt_limit', with: { left: Math.max(left, then) / 100 } } as const;
  for (const { payment_type, path } of exceed_limit ? [] : transactions) {
    if (payment_type === 'debt') collectPriceIssues(issues).add(path, tooMuch);
  }
  return payments;
}
