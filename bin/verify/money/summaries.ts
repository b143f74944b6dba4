import type { ShiftRow, ShiftSummary } from '#lib/trade/shift/summary.ts';
import { Currency, type MoneyKind, totalAmount } from '#lib/values/money.ts';

/** Finds where the rows, totals and debts of a closed shift don't follow from its transactions. */
export function summaryFaults(summary: ShiftSummary): string[] {
  return [
    ...summary.rows.flatMap((row) => rowFaults(row, summary)),
    ...summary.totals.flatMap((total) => totalFaults(total, summary)),
    ...Currency.options.flatMap((currency) => debtFaults(currency, summary)),
  ];
}

/** Finds where a row doesn't follow from the shift's postings. Only its close collects a desk. */
function rowFaults(row: ShiftRow, { transactions }: ShiftSummary): string[] {
  const sumOf = (type: string, isOf: (source: string) => boolean) =>
    transactions
      .filter((each) => isSameKind(each, row) && each.type === type && isOf(each.source_type))
      .reduce((sum, { amount }) => sum + amount, 0);
  const isOwn = (source: string) => source === 'shift';
  const { opening_balance, opening_amount, opening, income, outcome, expected, actual, transferred } = row;
  const follows: Readonly<Record<string, boolean>> = {
    opening: opening === opening_balance + opening_amount,
    income: income === sumOf('income', (source) => !isOwn(source)),
    outcome: outcome === sumOf('outcome', (source) => !isOwn(source) && source !== 'collection'),
    expected: expected === opening + income - outcome,
    difference: row.difference === actual - expected,
    'what it posted': opening_amount + row.difference === sumOf('income', isOwn) - sumOf('outcome', isOwn),
    transferred: transferred === sumOf('outcome', (source) => source === 'collection'),
    left: row.left === actual - transferred && row.left >= 0,
  };
  const wrong = Object.keys(follows).filter((name) => !follows[name]);
  return wrong.map((name) => `${name} of ${row.payment_type} ${row.currency} does not follow`);
}

const SUMMED = [
  ...(['opening', 'income', 'outcome', 'expected'] as const),
  ...(['actual', 'difference', 'transferred', 'left'] as const),
];

function totalFaults(total: ShiftSummary['totals'][number], { rows }: ShiftSummary): string[] {
  const own = rows.filter(({ currency }) => currency === total.currency);
  const isSummed = SUMMED.every((name) => total[name] === own.reduce((sum, row) => sum + row[name], 0));
  const isSplit = total.cash + total.non_cash === total.actual;
  return isSummed && isSplit ? [] : [`its total in ${total.currency} is not that of its rows`];
}

/** Finds where what was repaid and refunded is not what the postings of debt payments come to. */
function debtFaults(currency: Currency, { debts, transactions }: ShiftSummary): string[] {
  const said = debts.find((each) => each.currency === currency) ?? { repaid: 0, refunded: 0 };
  const own = transactions.filter(
    (each) => each.source_type === 'debt_payment' && each.currency === currency,
  );
  const sumOf = (way: string) => totalAmount(own.filter(({ type }) => type === way));
  return [
    ...(said.repaid === sumOf('income') ? [] : [`says ${said.repaid} ${currency} for repaid`]),
    ...(said.refunded === sumOf('outcome') ? [] : [`says ${said.refunded} ${currency} for refunded`]),
  ];
}

function isSameKind(a: MoneyKind, b: MoneyKind): boolean {
  return a.payment_type === b.payment_type && a.currency === b.currency;
}
