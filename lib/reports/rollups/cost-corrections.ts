import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { DEFAULT_UPDATE_SIZE, type RollupKind } from '#lib/table/rollups/kind.ts';
import { COST_CORRECTION, CostCorrectionLine } from '#lib/trade/goods-receipt/cost-correction.ts';
import { Currency } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';

/** Fields of a correction's header. */
const Header = z.object({
  id: z.int(),
  company_id: z.int(),
  stock_id: z.int(),
  products_count: z.int(),
  report_currency: Currency,
  created_at: z.number(),
});

/**
 * Corrections of costs: of a company in a rollup per month, by day and currency, and of a company's warehouse
 * in a rollup per day, by product and currency. Sums are additions to the cost, and deductions. Part 5, 5A.4,
 * 4.
 */
export const costCorrectionRollups: RollupKind = {
  name: 'cost-corrected',
  edition: 1,
  source: COST_CORRECTION,
  only: Object.keys(Header.shape),
  numbers: 2,
  sums: 2,
  ...DEFAULT_UPDATE_SIZE,
  /** An update holds all lines of its headers in memory. */
  max: 1000,
  factsOf: async (tenant, headers) => {
    const corrections = headers.map((header) => Header.parse(header));
    const found = await readLinesOfAll(
      corrections.map(({ id, products_count: count }) => ({
        place: { type: COST_CORRECTION, tenant, id },
        count,
      })),
    );
    return corrections.flatMap(({ id, company_id, stock_id, report_currency, created_at }, index) => {
      const lines = found[index];
      if (!lines) throw new NotYet();
      const [day, currency] = [dayOf(created_at), Currency.options.indexOf(report_currency)];
      const month = { id, group: String(company_id), period: day.slice(0, 7) };
      const ofDay = { id, group: `${company_id}.${stock_id}`, period: day };
      return lines.flatMap((line) => {
        const { product_id, report_amount } = parseStored(CostCorrectionLine, line);
        // Goods that all remain change no report.
        if (report_amount === 0) return [];
        const sums = [Math.max(report_amount, 0), Math.max(-report_amount, 0)];
        return [
          { ...month, of: [Number(day.slice(8)), currency], sums },
          { ...ofDay, of: [product_id, currency], sums },
        ];
      });
    });
  },
};
