import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { madeBy } from '#lib/access/impersonation.ts';
import { familyIndexes } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import { among } from '#lib/people/workplace.ts';
import { type DocumentType, documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { type Cents, Currency, Money } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { ProductCard } from './card.ts';

/**
 * How prices were rounded before they were sent; it is recorded, nothing is rounded by it. Decisions,
 * 9 (31).
 */
export const Rounding = z.enum(['none', 'smart', '1000']);

/** Why a row was not repriced. */
const SkipReason = z.enum(['in_active_sale', 'min_price_below_cost', 'cost_without_rate']);

/** A card as a line of a batch shows it. */
const RepricedCard = ProductCard.omit({
  sale_price: true,
  sale_currency: true,
  min_price: true,
  min_price_percent: true,
  is_bundle_only: true,
});

/** What a product was sold for, and is from then on. Part 2, "Repricing batch". */
export const RepricingLine = z.object({
  id: z.int(),
  company_id: z.int(),
  ...madeBy,
  product_id: z.int(),
  batch_id: z.int(),
  /** What it really was, in the currency that the product was priced in then. */
  previous_price: Money,
  previous_currency: Currency,
  sale_price: Money,
  sale_currency: Currency,
  markup_percent: Money.nullable(),
  previous_markup_percent: Money.nullable(),
  price_without_rounding: Money.nullable(),
  /** What the card has from then on. */
  min_price: Money.nullable(),
  min_price_percent: Money.nullable(),
  created_at: Timestamp,
  product: RepricedCard.nullish(),
});

export type RepricingLine = z.input<typeof RepricingLine>;

/** A row that was not repriced. */
export const SkippedRow = z.object({
  product_id: z.int(),
  reason: SkipReason,
  /**
   * What the goods had cost, if that is the reason: in the row's currency, or if that has no rate in its own.
   */
  cost: Money.nullable(),
  cost_currency: Currency.nullable(),
  /** The reason in the caller's language. */
  text: z.string().optional(),
});

export type SkippedRow = z.input<typeof SkippedRow>;

/**
 * A repricing batch: prices that were changed together, by hand, or by a card or a receipt. Part 2,
 * "Repricing batch".
 */
export const Repricing = z.object({
  id: z.int(),
  company_id: z.int(),
  creator_id: z.int(),
  rounding_type: Rounding.nullable(),
  /** What became the company's rate of the dollar; null if it stayed. */
  currency_rate: Money.nullable(),
  type: z.enum(['single', 'group']),
  products_count: z.int(),
  skipped_count: z.int(),
  markup_summary: z.object({ min: Money, max: Money, average: Money }).nullable(),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  products: z.array(RepricingLine).optional(),
  skipped_products: z.array(SkippedRow).optional(),
});

export type Repricing = z.input<typeof Repricing>;

/** How repricing batches are kept. A caller reaches those of the companies open to them. */
export const repricings: DocumentType<typeof Repricing> = {
  type: 'repricing',
  schema: Repricing,
  indexes: familyIndexes,
  reach: ({ companies }) => among('company_id', companies),
};

/** The counter of a family's lines. */
export const REPRICING_LINE = 'repricing-line';

/** The type of skipped rows, which stand in packs as lines do. */
export const SKIPPED_ROW = 'repricing-skipped';

/** What a repricing changes of a card. */
type Priced = Pick<
  z.input<typeof ProductCard>,
  'id' | 'sale_price' | 'sale_currency' | 'min_price' | 'min_price_percent'
>;

/** A card as it was, and as it will be. */
export interface PriceChange {
  readonly before: Priced;
  readonly after: Priced;
}

/** What is recorded of a price as it was sent. */
export type Recorded = Pick<RepricingLine, 'markup_percent' | 'price_without_rounding'>;

/**
 * A markup that a card keeps to itself, with the price that it was recorded for: it counts as long as the
 * card has that price.
 */
const MarkedUp = z.object({
  marked_up: z.object({ percent: z.int(), price: z.int(), currency: Currency }),
});

/** Makes what a card keeps of the markup of its price, beside its fields. */
export function markedUp(price: Cents, currency: Currency, percent: number | null) {
  return { marked_up: percent === null ? undefined : { percent, price, currency } };
}

/** Makes a line of a batch. */
export function repricingLine(
  { id: batch_id, company_id, creator_id, created_at }: Repricing,
  id: number,
  { before, after }: PriceChange,
  { markup_percent, price_without_rounding }: Recorded,
): RepricingLine {
  return {
    id,
    company_id,
    creator_id,
    product_id: after.id,
    batch_id,
    previous_price: before.sale_price,
    previous_currency: before.sale_currency,
    sale_price: after.sale_price,
    sale_currency: after.sale_currency,
    markup_percent,
    previous_markup_percent: markupOf(before),
    price_without_rounding,
    min_price: after.min_price,
    min_price_percent: after.min_price_percent,
    created_at,
  };
}

/** Makes the writes of a batch with its lines and the rows that were skipped. */
export function repricingWrites(
  home: Home,
  repricing: Repricing,
  lines: readonly RepricingLine[],
  skipped: readonly SkippedRow[] = [],
): Write[] {
  return [
    documentInsertion(repricings, home, repricing),
    ...lineWrites({ type: repricings.type, home, id: repricing.id }, lines),
    ...lineWrites({ type: SKIPPED_ROW, home, id: repricing.id }, skipped),
  ];
}

/**
 * Makes the writes of the batch that a card or a receipt leaves in the transaction that changes prices: one
 * batch for all of them, none if no price changes. Decisions, 9 (32).
 */
export async function singleRepricing(
  { home, id: creator_id }: Staff,
  company_id: number,
  changes: readonly PriceChange[],
  at: Instant,
): Promise<Write[]> {
  const priced = changes.filter(isOfPrice);
  if (priced.length === 0) return [];
  const [id, firstLine] = await Promise.all([
    nextId(repricings.type, home),
    nextId(REPRICING_LINE, home, priced.length),
  ]);
  const repricing: Repricing = {
    id,
    company_id,
    creator_id,
    rounding_type: null,
    currency_rate: null,
    type: 'single',
    products_count: priced.length,
    skipped_count: 0,
    markup_summary: null,
    created_at: at,
  };
  const unrecorded = { markup_percent: null, price_without_rounding: null };
  const lines = priced.map((change, index) =>
    repricingLine(repricing, firstLine + index, change, unrecorded),
  );
  return repricingWrites(home, repricing, lines);
}

function isOfPrice({ before, after }: PriceChange): boolean {
  return before.sale_price !== after.sale_price || before.sale_currency !== after.sale_currency;
}

function markupOf(card: Priced): number | null {
  const held = MarkedUp.safeParse(card).data?.marked_up;
  return held && held.price === card.sale_price && held.currency === card.sale_currency ? held.percent : null;
}
