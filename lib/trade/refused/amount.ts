import { ratesOf } from '#lib/cash/company-rates.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { paymentValueIn } from '#lib/trade/sale/foreign-cash.ts';
import { type Currency, MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';

/** The payments of a body, as far as they can be read. */
export interface StatedPayments {
  readonly currency: Currency | null;
  readonly transactions: readonly {
    readonly amount: MinorUnits;
    readonly currency?: Currency | null | undefined;
  }[];
}

/**
 * Adds up what a refused sale was paid, in its currency: cash in another by the rates of today, as nobody can
 * tell yet by which it will count. No round trip if there is none.
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
