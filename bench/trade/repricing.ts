import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { copyGoods } from './copies.ts';

// The first calls find function and database cold.
const OFTEN = { warm: 5, times: 11, allowed_ms: 200 };
const SELDOM = { warm: 3, times: 7, allowed_ms: 2000 };
const RARELY = { warm: 0, times: 3, allowed_ms: 20_000 };

/**
 * Returns scenes that reprice this many products with a cost and a new minimum price, at a new rate of the
 * dollar.
 */
export async function repricingScenes({ client, actor, shop }: MeasuredShop, rows: number): Promise<Scene[]> {
  const { products } = await copyGoods(actor.tenant, shop, shop.stock, rows);
  await client.make('/company/stock/stock', { name: `Bench, empty beside ${rows}` });
  const pricesAt = (turn: number) =>
    products.map((product_id, index) => ({
      product_id,
      sale_price: 12_345.67 + index + turn,
      sale_currency: 'uzs',
      markup_percent: 12.34,
      price_without_rounding: 12_345.67 + index,
      previous_price: 5000,
      min_price: 4000,
      min_price_percent: 10.5,
    }));
  const rounded = { company_id: actor.companyId, rounding_type: 'smart' };
  const some = rows > 10 ? SELDOM : OFTEN;
  let turn = 0;
  return scenesOf(rows > 1000 ? RARELY : some, {
    [`repricing of ${rows} rows`]: () => {
      turn++;
      const json = { ...rounded, currency_rate: 12_700 + turn, products: pricesAt(turn) };
      return { request: 'POST /company/trade/recalculation-batch', json };
    },
  });
}
