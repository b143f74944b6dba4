import * as z from 'zod';
import { type Client, expectReply, make } from '#bin/demo/client.ts';
import { quantile } from '../service.ts';
import type { Shop } from '../shop.ts';
import { billedWrites } from '../units.ts';
import type { TwoServices, Use } from './use.ts';

const COUNTS = '/company/trade/inventory';
const PAGE = 100;

const Rows = z.object({ data: z.array(z.object({ stock_product_id: z.int() })) });

/**
 * Counts a whole warehouse twice, to be timed and to see what is written, and finds less of everything. The
 * worker writes each shelf once (`npm run bench -- trade/counts`).
 */
export async function useOfCount(services: TwoServices, shop: Shop, positions: number): Promise<Use> {
  const { service, client, seen } = services;
  const before = service.lines.length;
  await countAll(client, shop, { positions, found: 1000 });
  const lines = service.lines.slice(before).filter(({ route }) => route.includes(COUNTS));
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((total, line) => total + of(line), 0);
  return {
    calls: lines.length,
    written_units: (await billedWrites(() => countAll(seen, shop, { positions, found: 900 }))) + positions,
    read_units: sum(({ capacity_units, written_units }) => capacity_units - written_units),
    own_ms: sum(({ duration_ms, table_ms }) => duration_ms - table_ms),
    round_trips: sum(({ round_trips }) => round_trips),
    logged_bytes: lines.length * quantile(lines.map(({ bytes }) => bytes)),
    given_bytes: 0,
    stored_bytes: 0,
  };
}

async function countAll(
  client: Client,
  { stock }: Shop,
  { positions, found }: { readonly positions: number; readonly found: number },
): Promise<void> {
  const id = await make(client, COUNTS, { stock_id: stock, type: 'full' });
  for (let page = 1; (page - 1) * PAGE < positions; page++) {
    const { body } = await client(`GET ${COUNTS}/${id}/products?page=${page}&page-size=${PAGE}`);
    const products_tmp = Rows.parse(body).data.map(({ stock_product_id }) => ({
      stock_product_id,
      actual_quantity: found,
    }));
    await expectReply(200, client(`PATCH ${COUNTS}/${id}/add-products`, { products_tmp }));
  }
  await expectReply(200, client(`PATCH ${COUNTS}/${id}/complete`));
}
