import { costCorrectionRollups } from '#lib/reports/rollups/cost-corrections.ts';
import {
  type CostCorrection,
  type CostCorrectionLine,
  costCorrections,
} from '#lib/trade/goods-receipt/cost-correction.ts';
import { hasCountedGone } from '#lib/trade/goods-receipt/decide-end.ts';
import { Currency } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import { type Day, dayOf, daysOf, monthsOf } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { checkDocuments } from '../frame/documents.ts';
import { tieOperation } from '../frame/entries.ts';
import { faultUnless } from '../frame/ledger.ts';
import { type CheckedReport, GROWING_SUMS, ReportSums } from '../reports/frame.ts';
import { addRollups } from '../reports/rollups.ts';

const FIGURES = ['more', 'less'];

/** The rollups of corrections of costs. */
export const CORRECTIONS_REPORT: CheckedReport = {
  book: 'report of cost corrections',
  of: 'documents',
  rule: GROWING_SUMS,
  read: async ({ tenant }, { from, to }) => {
    const reported = new ReportSums();
    const kind = costCorrectionRollups;
    for (const periods of [daysOf(from, to), monthsOf(from, to)]) {
      await addRollups(reported, tenant, {
        ...{ kind, periods, figures: FIGURES },
        rowOf: ({ group, period }, of) => `${group}, ${period}, ${of.join(' ')}`,
      });
    }
    return reported;
  },
};

/** Correction with its lines. */
interface CorrectionWithLines extends CostCorrection {
  readonly lines: readonly CostCorrectionLine[];
}

/** Corrections of costs by goods receipt, and their sums for the report. */
export interface Corrections {
  readonly byReceipt: ReadonlyMap<number, readonly CorrectionWithLines[]>;
  readonly sums: ReportSums;
  readonly days: ReadonlySet<Day>;
}

/** Checks every correction of costs against its lines, and sums them. */
export async function readCorrections(books: Books): Promise<Corrections> {
  const byReceipt = new Map<number, CorrectionWithLines[]>();
  const sums = new ReportSums();
  const days = new Set<Day>();
  const book = { book: 'cost corrections', noun: 'correction', kind: costCorrections };
  await checkDocuments(books, book, (correction, lines) => {
    const { purchase_id, company_id, stock_id, created_at } = correction;
    byReceipt.set(purchase_id, [...(byReceipt.get(purchase_id) ?? []), { ...correction, lines }]);
    const [day, currency] = [dayOf(created_at), Currency.options.indexOf(correction.report_currency)];
    days.add(day);
    for (const { product_id, report_amount } of lines) {
      const change = Math.abs(report_amount);
      const figure = report_amount > 0 ? 'more' : 'less';
      sums.add(`${company_id}.${stock_id}, ${day}, ${product_id} ${currency}`, figure, change);
      sums.add(`${company_id}, ${day.slice(0, 7)}, ${Number(day.slice(8))} ${currency}`, figure, change);
    }
    return [
      ...(['amount', 'gone_amount', 'report_amount'] as const).flatMap((name) => {
        const sum = lines.reduce((total, line) => total + line[name], 0);
        return faultUnless(correction[name] === sum, `has ${name} ${correction[name]}, its lines ${sum}`);
      }),
      ...lines.flatMap(({ id, quantity, cost, previous_cost, amount, ...line }) => {
        const difference = amountOf(cost, quantity) - amountOf(previous_cost, quantity);
        return [
          ...faultUnless(
            amount === difference,
            `line ${id} has ${amount}, its costs differ by ${difference}`,
          ),
          ...faultUnless(line.remaining_quantity <= quantity, `line ${id} has more goods than it received`),
        ];
      }),
    ];
  });
  return { byReceipt, sums, days };
}

/** Sums the changes of a receipt's amount by its corrections. */
export function amountOfCorrections({ byReceipt }: Corrections, receiptId: number): number {
  return (byReceipt.get(receiptId) ?? []).reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Ties the corrections of a receipt to the operations of its supplier, reversed if it is canceled. It is not,
 * once any counted goods as gone.
 */
export function tieCorrections(
  books: Books,
  { byReceipt }: Corrections,
  { id, status }: { readonly id: number; readonly status: string },
): string[] {
  const isReversed = status === 'canceled';
  return (byReceipt.get(id) ?? []).flatMap(({ id: correction, supplier_id, currency, amount, lines }) => {
    const operation = supplier_id !== null && { supplier_id, currency, amount, isReversed };
    return [
      ...faultUnless(
        !isReversed || !hasCountedGone({ lines }),
        `is canceled, though correction ${correction} counted goods as gone`,
      ),
      ...(operation ? tieOperation(books, `cost_correction ${correction}`, operation) : []),
    ];
  });
}
