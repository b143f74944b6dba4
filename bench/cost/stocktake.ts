import { expectAnswer } from '#bench/support/expected-call.ts';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { lineOf, quantile } from '#bench/support/service.ts';
import type { BenchShop } from '#bench/support/shop.ts';
import { countWriteUnits } from '#bench/support/units.ts';
import type { Person, Reply } from '#bin/cli/person.ts';
import type { Use } from './use.ts';

const COUNTS = '/company/trade/inventory';
const PAGE = 100;

/**
 * Takes stock of a whole warehouse twice, once for its time and once for its writes, with shortages
 * everywhere. The worker writes each stock level once, in transactions (`npm run bench -- trade/counts`).
 */
export async function useOfStocktake(stage: MeasuredShop, positions: number): Promise<Use> {
  const { service, client, seen, shop } = stage;
  const replies = await countAll(client, shop, { positions, found: 1000 });
  const lines = await Promise.all(replies.map((reply) => lineOf(service, reply)));
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((total, line) => total + of(line), 0);
  return {
    calls: lines.length,
    written_units:
      (await countWriteUnits(() => countAll(seen, shop, { positions, found: 900 }))) + 2 * positions,
    read_units: sum(({ capacity_units, written_units }) => capacity_units - written_units),
    own_ms: sum(({ duration_ms, table_ms }) => duration_ms - table_ms),
    round_trips: sum(({ round_trips }) => round_trips),
    logged_bytes: lines.length * quantile(lines.map(({ bytes }) => bytes)),
    sent_bytes: 0,
    given_bytes: 0,
    stored_bytes: 0,
  };
}

async function countAll(
  client: Person,
  { stock }: BenchShop,
  { positions, found }: { readonly positions: number; readonly found: number },
): Promise<Reply[]> {
  const json = { stock_id: stock, type: 'full' };
  const started = await expectAnswer(client, { request: `POST ${COUNTS}`, json });
  const id = started.number('id');
  const replies = [started];
  for (let page = 1; (page - 1) * PAGE < positions; page++) {
    const request = `GET ${COUNTS}/${id}/products?page=${page}&page-size=${PAGE}`;
    const shown = await expectAnswer(client, { request });
    const products_tmp = shown.rows().map((row) => {
      return { stock_product_id: row.number('stock_product_id'), actual_quantity: found };
    });
    const counting = { request: `PATCH ${COUNTS}/${id}/add-products`, json: { products_tmp } };
    replies.push(shown, await expectAnswer(client, counting));
  }
  return [...replies, await expectAnswer(client, { request: `PATCH ${COUNTS}/${id}/complete` })];
}
