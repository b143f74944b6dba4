import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import type { ProductCard } from '#lib/catalog/card.ts';
import { priceByType, typePriceChanges } from '#lib/catalog/type-prices.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  REPRICING_LINE,
  type Repricing,
  type RepricingLine,
  repricings,
  SKIPPED_ROW,
  type SkippedRow,
} from './record.ts';

/** Fields of a card that a repricing changes. */
type Priced = Pick<
  z.input<typeof ProductCard>,
  'id' | 'sale_price' | 'sale_currency' | 'prices' | 'min_price' | 'min_price_percent'
>;

/** Card before and after the change. */
export interface PriceChange {
  readonly before: Priced;
  readonly after: Priced;
}

/** Change of its sale price, or of its price by a type. */
interface PriceLineChange extends PriceChange {
  readonly price_type_id?: number | null;
}

/** Price details recorded as sent. */
export type Recorded = Pick<RepricingLine, 'markup_percent' | 'price_without_rounding'>;

/**
 * Markup stored in a card, with the price that it was recorded for: it applies as long as the card has that
 * price.
 */
const MarkedUp = z.object({
  marked_up: z.object({ percent: z.int(), price: z.int(), currency: Currency }),
});

/** Returns the markup fields that a card stores besides its own. */
export function newMarkup(price: MinorUnits, currency: Currency, percent: number | null) {
  return { marked_up: percent === null ? undefined : { percent, price, currency } };
}

/** Builds a line of a batch. */
export function repricingLine(
  { id: batch_id, company_id, creator_id, impersonator_id, created_at }: Repricing,
  id: number,
  { before, after, price_type_id: typeId = null }: PriceLineChange,
  { markup_percent, price_without_rounding }: Recorded,
): RepricingLine {
  const was = priceByType(before, typeId);
  const is = priceByType(after, typeId);
  return {
    id,
    company_id,
    creator_id,
    impersonator_id,
    product_id: after.id,
    batch_id,
    price_type_id: typeId,
    previous_price: was.price,
    previous_currency: was.currency,
    sale_price: is.price,
    sale_currency: is.currency,
    markup_percent,
    previous_markup_percent: typeId === null ? markupOf(before) : null,
    price_without_rounding,
    min_price: after.min_price,
    min_price_percent: after.min_price_percent,
    created_at,
  };
}

function markupOf(card: Priced): number | null {
  const markup = MarkedUp.safeParse(card).data?.marked_up;
  return markup && markup.price === card.sale_price && markup.currency === card.sale_currency
    ? markup.percent
    : null;
}

/** Builds the writes of a batch with its lines and skipped rows. */
export function repricingWrites(
  tenant: Tenant,
  repricing: Repricing,
  lines: readonly RepricingLine[],
  skipped: readonly SkippedRow[] = [],
): Write[] {
  return [
    documentInsertion(repricings, tenant, repricing),
    ...lineWrites({ type: repricings.type, tenant, id: repricing.id }, lines),
    ...lineWrites({ type: SKIPPED_ROW, tenant, id: repricing.id }, skipped),
  ];
}

/**
 * Builds the writes of the batch that a card or a goods receipt creates in the transaction of its price
 * changes: one batch for all of them, none if no price changes. Contract 9.32.
 */
export async function singleRepricing(
  actor: Staff,
  company_id: number,
  changes: readonly PriceChange[],
  at: Instant,
): Promise<Write[]> {
  const { tenant } = actor;
  const priced = changes.flatMap(pricesChanged);
  if (priced.length === 0) return [];
  const [id, firstLine] = await Promise.all([
    nextId(repricings.type, tenant),
    nextId(REPRICING_LINE, tenant, priced.length),
  ]);
  const repricing: Repricing = {
    id,
    company_id,
    ...makerOf(actor),
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
  return repricingWrites(tenant, repricing, lines);
}

/** Lists the changed prices of a card: its sale price, then those by type. */
function pricesChanged({ before, after }: PriceChange): PriceLineChange[] {
  const isOwn = before.sale_price !== after.sale_price || before.sale_currency !== after.sale_currency;
  const types = typePriceChanges(before, after).map(({ price_type_id }) => price_type_id);
  return [...(isOwn ? [null] : []), ...types].map((price_type_id) => ({ before, after, price_type_id }));
}
