import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { Supplier, supplierEmbed } from '#lib/stock/supplier/supplier.ts';
import { lineFields } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Cost } from '#lib/values/cost.ts';
import { distinct, Id, nonBlankText } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Type in the keys of corrections, which reports and the feed read, too. */
export const COST_CORRECTION = 'cost-correction';

/** Correction of the costs of a completed goods receipt; it never changes. Part 5, 5A.4, 3. */
export const CostCorrection = z.object({
  id: z.int(),
  ...madeBy,
  company_id: z.int(),
  stock_id: z.int(),
  purchase_id: z.int(),
  supplier_id: z.int().nullable(),
  /** Operation of the supplier; null without one. */
  supplier_operation_id: z.int().nullable(),
  products_count: z.int(),
  currency: Currency,
  /** New less former amount of the lines. */
  amount: Cost,
  /** Its part for goods that are gone. */
  gone_amount: Cost,
  report_currency: Currency,
  /** `gone_amount` in the report's currency, rounded once per line. */
  report_amount: Cost,
  comment: z.string(),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  supplier: Supplier.nullish(),
});

export type CostCorrection = z.input<typeof CostCorrection>;

/** Line of a correction; its id is that of the goods receipt's line. */
export const CostCorrectionLine = z.object({
  ...lineFields,
  remaining_quantity: Quantity,
  previous_cost: Cost,
  cost: Cost,
  amount: Cost,
  gone_amount: Cost,
  report_amount: Cost,
});

export type CostCorrectionLine = z.input<typeof CostCorrectionLine>;

/** Correction with its lines. */
export const CostCorrectionWithLines = CostCorrection.extend({ products: z.array(CostCorrectionLine) });

/** Correction in a list, with its lines if requested. */
export const ListedCostCorrection = CostCorrection.extend(fieldsOfLines(CostCorrectionLine));

/** Document type of corrections. Reach: those of the warehouses open to the caller. */
export const costCorrections: LinedType<typeof CostCorrection, typeof CostCorrectionLine> = {
  type: COST_CORRECTION,
  copied: 'trade.cost-correction',
  schema: CostCorrection,
  line: CostCorrectionLine,
  filters: {
    ...familyFilters,
    stock_id: exact('stock_id', Id),
    purchase_id: exact('purchase_id', Id),
    supplier_id: exact('supplier_id', Id),
    currency: exact('currency', Currency),
  },
  reach: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

const embeds = { 'creator.profile': familyEmbeds['creator.profile'], supplier: supplierEmbed };

/** Query string of the list. */
export const CostCorrectionList = documentQuery(costCorrections.filters, {
  sorts: ['id'],
  totals: amountsIn(CostCorrection, ['report_amount']),
  embeds: { ...embeds, products: linesEmbed },
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single correction. */
export const CostCorrectionEmbeds = embedQuery({ embeds });

/** Input to correct costs: lines of the goods receipt, each with the cost of one piece. */
export const CostCorrectionInput = z.object({
  products: distinct('id', z.array(z.object({ id: Id, cost: amount(0) })).max(100)).min(1),
  comment: nonBlankText(1000),
});

export type CostCorrectionInput = z.output<typeof CostCorrectionInput>;
