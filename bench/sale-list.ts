import * as z from 'zod';
import type { MeasuredShop } from './support/measured-shop.ts';
import { loadSales, salesOf } from './support/sales.ts';
import type { Scene } from './support/scene.ts';
import { indexLoadedItems } from './support/write-items.ts';

const PAGE_SIZE = 20;

/** Returns scenes that list this many sales: the first page and the last. */
export async function saleListScenes({ actor }: MeasuredShop, size: number): Promise<Scene[]> {
  const source = salesOf(actor.familyId);
  await loadSales(source, size, Date.now());
  await indexLoadedItems(source);
  const answer = z.object({ data: z.array(z.object({ id: z.int() })).length(PAGE_SIZE) });
  return [1, size / PAGE_SIZE].map((page) => ({
    what: `page ${page} of ${size} sales`,
    warm: 30,
    times: 60,
    prepare: () => ({ request: `GET /company/trade/sale?page=${page}`, answer }),
  }));
}
