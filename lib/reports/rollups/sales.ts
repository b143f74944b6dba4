import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { DEFAULT_UPDATE_SIZE, type Fact, type RollupKind } from '#lib/table/rollups/kind.ts';
import { SalePayment } from '#lib/trade/sale/input.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import { Currency } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';
import { SoldHeader } from './headers.ts';

/** Ways of payment, which add up to the amount sold. Part 4, 4.5. */
const WAYS = ['cash', 'card', 'bank', 'bonus', 'debt', 'exchange', 'deposit'] as const;

/** Sums of sales: their count, four amounts, and the amount paid in each way. */
export const SALE_SUMS = ['count', 'sold', 'cost', 'discount', ...WAYS] as const;

const Payments = z.array(z.object({ payment_type: SalePayment, counted_amount: z.int() }));

const SaleHeader = SoldHeader.extend({
  creator_id: z.int(),
  sold_amount: z.int(),
  purchased_amount: z.int(),
  discount_amount: z.int(),
  exchanged_amount: z.int(),
  transactions: Payments,
  /** Payments as it was made, if they were corrected since. Part 5, 5A.8, 3. */
  first_transactions: Payments.optional(),
  change_amount: z.int().optional(),
});

type SaleHeader = z.output<typeof SaleHeader>;

/** Sales by desk and month: for each day, currency, user and company. Part 4, 4.5. */
export const salesRollups: RollupKind = {
  name: 'sold',
  edition: 2,
  source: 'sale',
  only: Object.keys(SaleHeader.shape),
  numbers: 4,
  sums: SALE_SUMS.length,
  ...DEFAULT_UPDATE_SIZE,
  factsOf: (_, headers) => Promise.resolve(headers.map(factOf)),
};

function factOf(header: Item): Fact {
  const sale = SaleHeader.parse(header);
  const { id, sold_at, sold_amount, purchased_amount, discount_amount } = sale;
  const { first_transactions: transactions = sale.transactions, change_amount } = sale;
  const settled = { transactions, change_amount };
  const paid = WAYS.map((way) => (way === 'exchange' ? sale.exchanged_amount : amountPaidBy([way], settled)));
  return { id, ...cellOf(sale, sold_at), sums: [1, sold_amount, purchased_amount, discount_amount, ...paid] };
}

/** Returns the cell of an event at a desk: in its month's rollup, by day, currency, user and company. */
export function cellOf(
  {
    cashbox_id,
    currency,
    creator_id,
    company_id,
  }: Pick<SaleHeader, 'cashbox_id' | 'currency' | 'creator_id' | 'company_id'>,
  at: number,
) {
  const day = dayOf(at);
  const of = [Number(day.slice(8)), Currency.options.indexOf(currency), creator_id, company_id];
  return { group: String(cashbox_id), period: day.slice(0, 7), of };
}
