import * as z from 'zod';
import { firstCountSince } from '#lib/stock/counted.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { padId, partition, type Tenant } from '#lib/table/keys.ts';
import { ALL_IDS, readQueryPage } from '#lib/table/read/ranges.ts';
import { Quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Goods sold offline before a completed stocktake: the stocktake has already subtracted them, and the sale
 * subtracts them again. Each sale writes its own item next to the stocktake, so concurrent sales neither
 * conflict nor wait. Part 4, 4.4, 6.
 */

/** Line of a sale made before its product was counted. */
export const OfflineSaleOfCount = z.object({ sale_id: z.int(), product_id: z.int(), quantity: Quantity });

type OfflineSaleOfCount = z.input<typeof OfflineSaleOfCount>;

/** Line of a sale, with the first stocktake after it. */
interface CountedLine {
  readonly product_id: number;
  readonly sold_quantity: number;
  readonly counted_since?: number | null | undefined;
}

/** Limit of lines shown for a stocktake, and stored of one sale. */
const MAX_SHOWN = 100;

const Kept = z.object({ sk: z.string(), lines: z.array(z.tuple([z.int(), z.int()])) });

/** Flags lines whose goods were counted after the sale. Part 4, 4.4, 6. */
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

/** Builds the writes that list a sale at the stocktakes after it. */
export function offlineSaleWrites(tenant: Tenant, saleId: number, lines: readonly CountedLine[]): Write[] {
  const ids = new Set(lines.flatMap(({ counted_since }) => counted_since ?? []));
  return [...ids].map((id) => {
    const own = lines.filter(({ counted_since }) => counted_since === id).slice(0, MAX_SHOWN);
    const key = { pk: partitionOf(tenant, id), sk: padId(saleId) };
    return putNew(key, { lines: own.map(({ product_id, sold_quantity }) => [product_id, sold_quantity]) });
  });
}

/** Reads the lines of sales made before a stocktake, newest sales first. One round trip. */
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
