import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exactOrAbsent, exactOrList } from '#lib/records/query/filters.ts';
import { Cost, costField } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Rounding applied by the client; recorded only. Contract 9.31. */
export const Rounding = enumeration('repricing.rounding_type', ['none', 'smart', '1000']);

/** Reason why a row was not repriced. */
const SkipReason = enumeration('repricing.skip_reason', [
  'in_active_sale',
  'below_min_price',
  'min_price_below_cost',
  'cost_without_rate',
  'min_price_without_rate',
  'min_price_too_large',
  // Of planned repricings alone: others are refused.
  'product_not_found',
  'price_without_rate',
  'price_type_not_found',
]);

/** Card in a line of a batch. */
const RepricedCard = ProductCard.omit({
  sale_price: true,
  sale_currency: true,
  min_price: true,
  min_price_percent: true,
  is_bundle_only: true,
});

/** Price change of a product. Part 2, "Repricing batch". */
export const RepricingLine = z.object({
  id: z.int(),
  company_id: z.int(),
  ...madeBy,
  product_id: z.int(),
  batch_id: z.int(),
  /** Type of the changed price; null for the sale price. Part 5, 5A.14, 2. */
  price_type_id: z.int().nullable().default(null),
  /** Actual previous price, in its currency at that time; that of a type without one is the sale price. */
  previous_price: Money,
  previous_currency: Currency,
  sale_price: Money,
  sale_currency: Currency,
  markup_percent: Cost.nullable(),
  previous_markup_percent: Cost.nullable(),
  price_without_rounding: Money.nullable(),
  /** Floor of the card after the change. */
  min_price: Money.nullable(),
  min_price_percent: Money.nullable(),
  created_at: Timestamp,
  product: RepricedCard.nullish(),
});

export type RepricingLine = z.input<typeof RepricingLine>;

/** Row that was not repriced. */
export const SkippedRow = z.object({
  product_id: z.int(),
  /** Type of the price that the row would have set; null for the sale price. */
  price_type_id: z.int().nullable().default(null),
  reason: SkipReason,
  /** Cost of the goods, if it is the reason: in the row's currency, or if that has no rate, in its own. */
  cost: Cost.nullable(),
  cost_currency: Currency.nullable(),
  /** Reason in the caller's language. */
  text: z.string().optional(),
});

export type SkippedRow = z.input<typeof SkippedRow>;

const RepricingStatus = enumeration('repricing.status', ['planned', 'completed', 'canceled', 'failed']);

/**
 * Repricing batch: prices changed together, manually, or by a card or a goods receipt. Part 2, "Repricing
 * batch".
 */
export const Repricing = z.object({
  id: z.int(),
  company_id: z.int(),
  ...madeBy,
  rounding_type: Rounding.nullable(),
  /** New dollar rate of the company; null if unchanged. */
  currency_rate: Money.nullable(),
  type: enumeration('repricing.type', ['single', 'group']),
  /** Batches that predate plans have none. Part 5, 5A.14, 3. */
  status: RepricingStatus.default('completed'),
  /** Time from which a planned batch is made; null for others. */
  starts_at: Timestamp.nullable().default(null),
  products_count: z.int(),
  skipped_count: z.int(),
  markup_summary: costField(z.object({ min: Money, max: Money, average: Money })).nullable(),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  products: z.array(RepricingLine).nullish(),
  lines_left_out: z.literal(true).optional(),
  skipped_products: z.array(SkippedRow).optional(),
});

export type Repricing = z.input<typeof Repricing>;

/** Document type of repricing batches. Reach: batches of the companies open to the caller. */
export const repricings: DocumentType<typeof Repricing> = {
  type: 'repricing',
  copied: 'trade.recalculation-batch',
  schema: Repricing,
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    status: exactOrAbsent('status', RepricingStatus, 'completed'),
  },
  reach: ({ companies }) => among('company_id', companies),
};

/** Id counter of a family's lines. */
export const REPRICING_LINE = 'repricing-line';

/** Type of skipped rows, stored in chunks like lines. */
export const SKIPPED_ROW = 'repricing-skipped';
