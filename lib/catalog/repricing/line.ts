import * as z from 'zod';
import type { ProductCard } from '#lib/catalog/card.ts';
import { type Cents, Currency } from '#lib/values/money.ts';
import type { Repricing, RepricingLine } from './record.ts';

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
export function newMarkup(price: Cents, currency: Currency, percent: number | null) {
  return { marked_up: percent === null ? undefined : { percent, price, currency } };
}

/** Makes a line of a batch. */
export function repricingLine(
  { id: batch_id, company_id, creator_id, impersonator_id, created_at }: Repricing,
  id: number,
  { before, after }: PriceChange,
  { markup_percent, price_without_rounding }: Recorded,
): RepricingLine {
  return {
    id,
    company_id,
    creator_id,
    impersonator_id,
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

function markupOf(card: Priced): number | null {
  const held = MarkedUp.safeParse(card).data?.marked_up;
  return held && held.price === card.sale_price && held.currency === card.sale_currency ? held.percent : null;
}
