import * as z from 'zod';
import { firstCountSince } from '#lib/stock/counted.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { padId, partition, type Tenant } from '#lib/table/keys.ts';
import { ALL_IDS, readQueryPage } from '#lib/table/read/ranges.ts';
import { Quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * What was sold before a completed count and came after it: the count has taken these goods off, and the sale
 * takes them once more. Each sale writes an item of its own beside the count, so that however many come at
 * once none is lost, and none waits for another. Part 4, 4.4, 6.
 */

/** A line of a sale that was sold before its product was counted. */
export const OfflineSaleOfCount = z.object({ sale_id: z.int(), product_id: z.int(), quantity: Quantity });

type OfflineSaleOfCount = z.input<typeof OfflineSaleOfCount>;

/** A line of a sale, with the first count before which it was sold. */
interface CountedLine {
  readonly product_id: number;
  readonly sold_quantity: number;
  readonly counted_since?: number | null | undefined;
}

/** Lines that a count shows; of one sale no more are kept. */
const MAX_SHOWN = 100;

const Kept = z.object({ sk: z.string(), lines: z.array(z.tuple([z.int(), z.int()])) });

/**
 * Marks lines whose goods were counted after they were sold, as of whenever the sale is made. Part 4, 4.4, 6.
 */
export function flagCountedLines<L extends CountedLine, G extends { readonly lines: readonly L[] }>(
  goods: G,
  { before }: Pick<StockLevels, 'before'>,
  sold_at: Instant,
): G {
  const lines = goods.lines.map((line) => {
    const counted_since = firstCountSince(before.get(line.product_id), sold_at);
    return counted_since === null ? line : { ...line, counted_since };
  });
  return { ...goods, lines };
}

/** Builds the writes by which a sale is listed at the counts before which it was sold. */
export function offlineSaleWrites(tenant: Tenant, saleId: number, lines: readonly CountedLine[]): Write[] {
  const ids = new Set(lines.flatMap(({ counted_since }) => counted_since ?? []));
  return [...ids].map((id) => {
    const own = lines.filter(({ counted_since }) => counted_since === id).slice(0, MAX_SHOWN);
    const key = { pk: partitionOf(tenant, id), sk: padId(saleId) };
    return putNew(key, { lines: own.map(({ product_id, sold_quantity }) => [product_id, sold_quantity]) });
  });
}

/** Reads the lines of sales that were sold before a count, of the newest sales first. One round trip. */
export async function readLateSales(tenant: Tenant, countId: number): Promise<OfflineSaleOfCount[]> {
  const newest = { where: [], max: MAX_SHOWN };
  const { items } = await readQueryPage(partitionOf(tenant, countId), ALL_IDS, newest, true);
  const shown = items.map((item) => Kept.parse(item));
  return shown
    .flatMap(({ sk, lines }) =>
      lines.map(([product_id, quantity]) => ({ sale_id: Number(sk), product_id, quantity })),
    )
    .slice(0, MAX_SHOWN);
}

function partitionOf(tenant: Tenant, countId: number): string {
  return `${partition('inventory-late-sale', tenant)}#${countId}`;
}
