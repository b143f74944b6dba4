import { ratesOf } from '#lib/cash/company-rates.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { paymentValueIn } from '#lib/trade/sale/payments.ts';
import { type Currency, MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';

/** Readable payments of a body. */
export interface StatedPayments {
  readonly currency: Currency | null;
  readonly transactions: readonly {
    readonly amount: MinorUnits;
    readonly currency?: Currency | null | undefined;
  }[];
}

/**
 * Sums the payments of a refused sale in its currency: cash in another currency at today's rates, because the
 * final ones are unknown yet. No round trip without such cash.
 */
export async function sumStatedPayments(
  tenant: Tenant,
  company_id: number,
  { currency: own, transactions }: StatedPayments,
): Promise<MinorUnits> {
  const isForeign = transactions.some(({ currency }) => currency && own && currency !== own);
  const { rates } = isForeign ? await ratesOf(tenant, company_id) : {};
  const sum = transactions.reduce((whole, { amount, currency }) => {
    return (
      whole + (rates && own && currency ? (paymentValueIn({ amount, currency }, own, rates) ?? 0) : amount)
    );
  }, 0);
  return Math.min(sum, MAX_AMOUNT);
}
