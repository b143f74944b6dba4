import * as z from 'zod';
import { type OpenShift, tallyOf } from '#lib/cash/desk/open-shift.ts';
import { PostingSourceType } from '#lib/cash/posting/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { Currency, Direction, MONEY_KINDS, Money, PaymentType } from '#lib/values/money.ts';

/** Movements and cash count of one kind of money. Contract 9.45; Contract 9.47. */
const ShiftRow = z.object({
  payment_type: PaymentType,
  /** As sent with the count. Contract 9.23. */
  payment_type_id: z.int().nullable(),
  currency: Currency,
  /** Money in the desk when the shift was opened. */
  opening_balance: Money,
  /** Change brought from outside at the opening. */
  opening_amount: Money,
  opening: Money,
  income: Money,
  outcome: Money,
  expected: Money,
  by_source: z.array(z.object({ source_type: PostingSourceType, income: Money, outcome: Money })),
  actual: Money,
  difference: Money,
  transferred: Money,
  left: Money,
});

export type ShiftRow = z.input<typeof ShiftRow>;

/** Fields summed over the rows of a currency. */
const Summed = ShiftRow.pick({
  opening: true,
  income: true,
  outcome: true,
  expected: true,
  actual: true,
  difference: true,
  transferred: true,
  left: true,
});

/** Total of one currency. Contract 9.50. */
const Total = Summed.extend({ currency: Currency, cash: Money, non_cash: Money });

/** Stored totals of a shift; the rows are labeled in the caller's language on reading. */
export const ShiftSummary = z.object({
  currency: Currency,
  rows: z.array(ShiftRow),
  totals: z.array(Total),
  checks_count: z.int(),
  returns_count: z.int(),
  debts: z.array(z.object({ currency: Currency, given: Money, repaid: Money, refunded: Money })),
  /** Deposits of clients: money received and paid out, spent on documents and returned by them. */
  deposits: z
    .array(z.object({ currency: Currency, received: Money, paid_out: Money, spent: Money, returned: Money }))
    .default([]),
  transactions: z.array(
    z.object({
      source_type: PostingSourceType,
      payment_type: PaymentType,
      currency: Currency,
      type: Direction,
      count: z.int(),
      amount: Money,
    }),
  ),
});

export type ShiftSummary = z.input<typeof ShiftSummary>;

/** Published summary. Part 3, "Cash shift". */
export const SummaryResponse = ShiftSummary.extend({
  rows: z.array(ShiftRow.extend({ payment_type_name: z.string() })),
});

/** Summarizes a shift by its counted or expected rows. */
export function summaryOf(shift: OpenShift, currency: Currency, rows: readonly ShiftRow[]): ShiftSummary {
  return {
    currency,
    rows: [...rows],
    totals: Currency.options.flatMap((each) => totalOf(rows, each) ?? []),
    checks_count: shift.checks_count ?? 0,
    returns_count: shift.returns_count ?? 0,
    debts: Currency.options.flatMap((each) => {
      const { given = 0, repaid = 0, refunded = 0 } = shift.debts[each] ?? {};
      return given + repaid + refunded === 0 ? [] : [{ currency: each, given, repaid, refunded }];
    }),
    deposits: Currency.options.flatMap((each) => depositOf(shift, each)),
    transactions: transactionsOf(shift),
  };
}

/** Sums the deposits of one currency; none if nothing of them changed. Part 5, 5A.6, 5. */
function depositOf(shift: OpenShift, currency: Currency): NonNullable<ShiftSummary['deposits']> {
  const sumOf = (type: Direction) =>
    PaymentType.options.reduce(
      (sum, payment_type) =>
        sum + tallyOf(shift, { source_type: 'deposit', type, payment_type, currency })[1],
      0,
    );
  const [received, paid_out] = [sumOf('income'), sumOf('outcome')];
  const { spent = 0, returned = 0 } = shift.debts[currency] ?? {};
  const isNone = received + paid_out + spent + returned === 0;
  return isNone ? [] : [{ currency, received, paid_out, spent, returned }];
}

function totalOf(rows: readonly ShiftRow[], currency: Currency) {
  const own = rows.filter((row) => row.currency === currency);
  if (own.length === 0) return undefined;
  const sums = Summed.keyof().options.map((field) => [field, own.reduce((sum, row) => sum + row[field], 0)]);
  const { actual, ...others } = parseStored(Summed, Object.fromEntries(sums));
  const cash = own.reduce((sum, row) => sum + (row.payment_type === 'cash' ? row.actual : 0), 0);
  return { currency, ...others, actual, cash, non_cash: actual - cash };
}

function transactionsOf(shift: OpenShift): ShiftSummary['transactions'] {
  return PostingSourceType.options.flatMap((source_type) =>
    MONEY_KINDS.flatMap((kind) =>
      Direction.options.flatMap((type) => {
        const [count, amount] = tallyOf(shift, { ...kind, source_type, type });
        return count === 0 ? [] : [{ source_type, ...kind, type, count, amount }];
      }),
    ),
  );
}
