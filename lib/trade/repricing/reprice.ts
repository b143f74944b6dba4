import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, rateWrites } from '#lib/cash/company-rates.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import { type PriceChangeContext, recordPriceCause } from '#lib/catalog/price.ts';
import { REPRICING_LINE, Repricing, repricings, type SkippedRow } from '#lib/catalog/repricing/record.ts';
import { repricingLine, repricingWrites } from '#lib/catalog/repricing/write.ts';
import { creatorEmbed } from '#lib/people/user/colleague.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { parseStoredKnown } from '#lib/records/stored.ts';
import { lastCosts } from '#lib/stock/last-cost.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { invalid } from '#lib/values/api-error.ts';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { RepricingInput } from './input.ts';
import { OF_ONE, showRepricing } from './repricing.ts';
import { readRows } from './rows.ts';
import { type PricedRow, splitRows } from './split.ts';

/** Time of a batch, and language of its response. */
export interface RepricingContext {
  readonly at: Instant;
  readonly locale: Locale;
}

/**
 * Reprices products, in one transaction with the company's rate of the dollar and the batch that records it;
 * rows that cannot be repriced are skipped. 422 as in `readRows`, and on `products` if no row is left. Part
 * 2, "Repricing batches".
 */
export function create(
  actor: Staff,
  input: RepricingInput,
  { at, locale }: RepricingContext,
  saveResponse: (repricing: Repricing) => Write[],
): Promise<Repricing> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [id, firstLine, inDrafts, { rows, held, terms }] = await Promise.all([
      nextId(repricings.type, tenant),
      nextId(REPRICING_LINE, tenant, input.products.length),
      productsInDrafts(actor, input.company_id),
      readRows(actor, input, at),
    ]);
    const costs = await costsOf(tenant, rows);
    const { passed, skipped } = splitRows(rows, { inDrafts, costs }, terms);
    if (passed.length === 0) throw noRowsLeft(skipped);
    const counts = { products_count: passed.length, skipped_count: skipped.length };
    const { company_id, rounding_type, currency_rate } = input;
    const repricing: Repricing = {
      ...{ id, company_id, rounding_type, currency_rate, type: 'group', created_at: at },
      ...makerOf(actor),
      ...counts,
      markup_summary: markupSummaryOf(passed),
    };
    const lines = passed.map(({ row, ...change }, index) =>
      repricingLine(repricing, firstLine + index, change, row),
    );
    const occasion = { cause: 'repricing', documentId: id, by: actor, at } as const;
    const response = await fullResponse(showRepricing(repricing, lines, skipped, locale), passed);
    await transact([
      ...repricingWrites(tenant, repricing, lines, skipped),
      ...cardWrites(tenant, passed, occasion),
      ...(await rateWritesOf(actor, held, input, at)),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Builds the writes of the cards, one of each product, whatever number of rows it has. */
export function cardWrites(
  tenant: Tenant,
  passed: readonly PricedRow[],
  occasion: PriceChangeContext,
): Write[] {
  const byProduct = new Map(passed.map((row) => [row.after.id, row]));
  return [...byProduct.values()].flatMap(({ before, after }) =>
    replacement(products, tenant, before, recordPriceCause(before, after, occasion)),
  );
}

/** Reads the latest costs of products with a minimum price or percentage; no others are needed. */
export function costsOf(tenant: Tenant, rows: readonly PricedRow[]) {
  const bounded = rows.filter(
    ({ after: { min_price, min_price_percent } }) => min_price !== null || min_price_percent !== null,
  );
  return lastCosts(tenant, [...new Set(bounded.map(({ after }) => after.id))]);
}

/**
 * Adds the creator of the batch and the cards of the first lines to its response. It contains published
 * fields only, because it is saved for idempotent replays. One round trip. Part 2, "Repricing batch".
 */
export async function fullResponse(shown: Repricing, passed: readonly PricedRow[]): Promise<Repricing> {
  const changed = passed.slice(0, OF_ONE.cards).map(({ after }) => after);
  const [[batch], cards] = await Promise.all([embed([shown], [creatorEmbed]), embed(changed, [fullText])]);
  const products = shown.products?.map((line, index) => {
    const product = cards[index];
    return product ? { ...line, product } : line;
  });
  return parseStoredKnown(Repricing, { ...batch, products });
}

/** Builds the writes that change the company's rate, or else the check that its rates are unchanged. */
async function rateWritesOf(
  actor: Staff,
  held: Awaited<ReturnType<typeof readRows>>['held'],
  { currency_rate }: RepricingInput,
  at: Instant,
): Promise<Write[]> {
  const writes = currency_rate === null ? [] : await rateWrites(actor, held, { usd: currency_rate }, { at });
  const unchanged = check(keyOfRates(actor.tenant, held.id), { if: equals('version', held.version) });
  return writes.length > 0 ? writes : [unchanged];
}

/** Summarizes the markups of the rows, unweighted; null if none was sent. Contract 9.35. Contract 9.74. */
export function markupSummaryOf(rows: readonly PricedRow[]): Repricing['markup_summary'] {
  const markups = rows.flatMap(({ row }): readonly MinorUnits[] => [row.markup_percent ?? []].flat());
  if (markups.length === 0) return null;
  const sum = markups.reduce((total, markup) => total + BigInt(markup), 0n);
  return {
    min: markups.reduce((least, markup) => Math.min(least, markup)),
    max: markups.reduce((max, markup) => Math.max(max, markup)),
    average: Number(roundHalfUp(sum, BigInt(markups.length))),
  };
}

function noRowsLeft(skipped: readonly SkippedRow[]) {
  const count = (reason: SkippedRow['reason']) => skipped.filter((row) => row.reason === reason).length;
  return invalid({
    products: {
      key: 'repricing.none_left',
      with: {
        in_sale: count('in_active_sale'),
        below_min: count('below_min_price'),
        below_cost: count('min_price_below_cost'),
        without_rate: count('cost_without_rate'),
        unconverted: count('min_price_without_rate') + count('min_price_too_large'),
      },
    },
  });
}
