import * as z from 'zod';
import { keyed } from '#lib/reports/frame/report.ts';
import { Currency, LargeAmount, Money } from '#lib/values/money.ts';

/** A row of the report: amounts at one rate, and the VAT within them. Part 5, 5A.2, 5. */
export const VatRow = z.object({
  ...keyed,
  currency: Currency,
  vat_percent: Money.nullable(),
  sold_amount: LargeAmount,
  sold_vat: LargeAmount,
  returned_amount: LargeAmount,
  returned_vat: LargeAmount,
  /** Sold less returned. */
  amount: LargeAmount,
  vat_amount: LargeAmount,
});

export type VatRow = z.input<typeof VatRow>;

/** Sums of a row. */
export type VatSums = Pick<VatRow, 'sold_amount' | 'sold_vat' | 'returned_amount' | 'returned_vat'>;

/** Returns sums of sales, or of returns. */
export function vatSums(side: 'sold' | 'returned', [amount = 0n, vat = 0n]: readonly bigint[]): VatSums {
  const none = { sold_amount: 0n, sold_vat: 0n, returned_amount: 0n, returned_vat: 0n };
  return side === 'sold'
    ? { ...none, sold_amount: amount, sold_vat: vat }
    : { ...none, returned_amount: amount, returned_vat: vat };
}

/** Adds sums. */
export function addVat(one: VatSums, other: VatSums): VatSums {
  return {
    sold_amount: one.sold_amount + other.sold_amount,
    sold_vat: one.sold_vat + other.sold_vat,
    returned_amount: one.returned_amount + other.returned_amount,
    returned_vat: one.returned_vat + other.returned_vat,
  };
}

/** Computes the figures of a row from its sums. */
export function vatFigures({ sold_amount, sold_vat, returned_amount, returned_vat }: VatSums) {
  const sums = { sold_amount, sold_vat, returned_amount, returned_vat };
  return { ...sums, amount: sold_amount - returned_amount, vat_amount: sold_vat - returned_vat };
}
