import * as z from 'zod';
import { keyed } from '#lib/reports/frame/report.ts';
import { RETURN_SUMS } from '#lib/reports/rollups/returns.ts';
import { SALE_SUMS } from '#lib/reports/rollups/sales.ts';
import { TENDER_SUMS } from '#lib/reports/rollups/tenders.ts';
import { costField, LargeCost } from '#lib/values/cost.ts';
import { Currency, LargeAmount, type PaymentType, roundHalfUp } from '#lib/values/money.ts';
import { Percent, percentOf } from '#lib/values/percent.ts';

/** A row of the report. Part 4, 4.5. */
export const SalesRow = z.object({
  ...keyed,
  currency: Currency,
  sales_count: z.int(),
  returns_count: z.int(),
  sold_amount: LargeAmount,
  returned_amount: LargeAmount,
  revenue: LargeAmount,
  cost: LargeCost,
  cost_corrections: LargeCost,
  profit: LargeCost,
  margin_percent: costField(Percent).nullable(),
  average_cheque: LargeAmount.nullable(),
  discount_amount: LargeAmount,
  by_payment_type: z.object({
    cash: LargeAmount,
    card: LargeAmount,
    bank: LargeAmount,
    bonus: LargeAmount,
    debt: LargeAmount,
    exchange: LargeAmount,
    deposit: LargeAmount,
  }),
});

export type SalesRow = z.input<typeof SalesRow>;

/** Sums of sales and returns, in the order of their names. */
export interface SalesSums {
  readonly sold: readonly bigint[];
  readonly returned: readonly bigint[];
  /** Corrections of costs: added to the cost, and taken off it. */
  readonly corrected: readonly bigint[];
  /** Corrections of payment types, in the order of their names. */
  readonly tendered: readonly bigint[];
}

/** Zero sums. */
export const NO_SALES: SalesSums = {
  sold: SALE_SUMS.map(() => 0n),
  returned: RETURN_SUMS.map(() => 0n),
  corrected: [0n, 0n],
  tendered: TENDER_SUMS.map(() => 0n),
};

/** Adds sums. */
export function addSales(one: SalesSums, other: Partial<SalesSums>): SalesSums {
  return {
    sold: addEach(one.sold, other.sold),
    returned: addEach(one.returned, other.returned),
    corrected: addEach(one.corrected, other.corrected),
    tendered: addEach(one.tendered, other.tendered),
  };
}

function addEach(one: readonly bigint[], other: readonly bigint[] = []): bigint[] {
  return one.map((sum, index) => sum + (other[index] ?? 0n));
}

/** Computes the figures of a row from its sums. */
export function figuresOf({
  sold,
  returned,
  corrected: [more = 0n, less = 0n],
  tendered,
}: SalesSums): Omit<SalesRow, 'key' | 'label' | 'currency'> {
  const ofSales = (name: (typeof SALE_SUMS)[number]) => sold[SALE_SUMS.indexOf(name)] ?? 0n;
  const ofReturns = (name: (typeof RETURN_SUMS)[number]) => returned[RETURN_SUMS.indexOf(name)] ?? 0n;
  const ofTenders = (name: (typeof TENDER_SUMS)[number]) => tendered[TENDER_SUMS.indexOf(name)] ?? 0n;
  const amountBy = (way: PaymentType) => ofSales(way) + ofTenders(`${way} gained`) - ofTenders(`${way} lost`);
  const [count, sold_amount, returned_amount] = [ofSales('count'), ofSales('sold'), ofReturns('returned')];
  const revenue = sold_amount - returned_amount;
  const cost_corrections = more - less;
  const cost = ofSales('cost') - ofReturns('cost') + cost_corrections;
  const profit = revenue - cost;
  return {
    sales_count: Number(count),
    returns_count: Number(ofReturns('count')),
    sold_amount,
    returned_amount,
    revenue,
    cost,
    cost_corrections,
    profit,
    margin_percent: percentOf(profit, revenue),
    average_cheque: count === 0n ? null : roundHalfUp(sold_amount, count),
    discount_amount: ofSales('discount'),
    by_payment_type: {
      cash: amountBy('cash'),
      card: amountBy('card'),
      bank: amountBy('bank'),
      bonus: ofSales('bonus'),
      debt: ofSales('debt'),
      exchange: ofSales('exchange'),
      deposit: ofSales('deposit'),
    },
  };
}
