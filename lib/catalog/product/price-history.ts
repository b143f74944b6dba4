import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { products } from '#lib/catalog/card.ts';
import { entriesOfChange, LatestChange, PriceCause, PriceEntry, priceOf } from '#lib/catalog/price.ts';
import { entriesOf } from '#lib/catalog/price-entry.ts';
import { MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { pageQuery } from '#lib/records/query/list-query.ts';
import { getRecord } from '#lib/records/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { readRangeInTurn } from '#lib/table/read/ranges.ts';
import type { Page } from '#lib/table/read/request.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Change of a product's price or minimum. Part 4, 4.6. */
export const HistoricPrice = z.object({
  id: z.int(),
  /** Null for `sale_price`. Part 5, 5A.14, 2. */
  price_type_id: z.int().nullable(),
  previous_price: Money.nullable(),
  previous_currency: Currency.nullable(),
  price: Money,
  currency: Currency,
  previous_min_price: Money.nullable(),
  min_price: Money.nullable(),
  cause: PriceCause,
  document_id: z.int().nullable(),
  creator_id: z.int(),
  created_at: Timestamp,
});

/** Query string of the list. */
export const PriceList = pageQuery(MAX_PAGE_SIZE);

/**
 * Lists a product's price changes, newest first. They are numbered, so a page is a range of numbers; the
 * latest change is read from the card, in case the stream lags. 404 without the product. Two round trips.
 */
export async function list(
  { tenant }: Staff,
  productId: number,
  { page, pageSize }: z.output<typeof PriceList>,
): Promise<Page<z.input<typeof HistoricPrice>>> {
  const card = await getRecord({ type: products, tenant, id: productId });
  const latest = LatestChange.safeParse(card).data?.price_change;
  const total = latest?.id ?? 0;
  const to = total - (page - 1) * pageSize;
  const range = { from: Math.max(1, to - pageSize + 1), to };
  const stored = to < 1 ? [] : await readRangeInTurn(entriesOf(tenant, productId), range, { where: [] });
  const entries = stored.map((item) => parseStored(PriceEntry, item)).reverse();
  const known = new Set(entries.map(({ id }) => id));
  const lagging = latest ? entriesOfChange(latest, priceOf(card)) : [];
  const missing = lagging.filter(({ id }) => id >= range.from && id <= to && !known.has(id)).reverse();
  return { rows: [...missing, ...entries].map(show), total, page, pageSize };
}

function show({
  price_type_id = null,
  previous,
  price,
  ...change
}: z.input<typeof PriceEntry>): z.input<typeof HistoricPrice> {
  const [was, currencyBefore, minimumBefore] = previous ?? [null, null, null];
  const [is, currency, minimum] = price;
  return {
    ...{ ...change, price_type_id },
    ...{ previous_price: was, previous_currency: currencyBefore, previous_min_price: minimumBefore },
    ...{ price: is, currency, min_price: minimum },
  };
}
