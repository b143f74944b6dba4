import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { renderInstant } from '#lib/values/time.ts';
import type { MeasuredShop } from './support/measured-shop.ts';
import { type Scene, scenesOf } from './support/scene.ts';
import { PRICE, saleBodyOf } from './support/shop.ts';

const LINES = 3;
const SELL = 'POST /company/trade/sale';

/** Time limit of 50 offline sales on a quiet machine. Part 4, 4.4. */
const ALLOWED_MS = 2000;

/**
 * Returns scenes that sell by a till's own key and by `Idempotency-Key`, and upload this many offline sales
 * at once.
 */
export function offlineScenes({ shop }: MeasuredShop, sales: number): Scene[] {
  const goods = shop.products.slice(0, LINES);
  const json = saleBodyOf(shop, shop.desks[0] ?? 0, goods);
  const priced = goods.map((product_id) => ({ product_id, sold_quantity: 1, price: PRICE }));
  const offline = () => ({ ...json, products: priced, key: randomUUID(), sold_at: aMinuteAgo() });
  const withKey = () => ({ request: SELL, json: { ...json, key: randomUUID() } });
  const withHeader = () => ({ request: SELL, json, headers: { 'idempotency-key': randomUUID() } });
  const batch = () => ({
    request: `${SELL}/sync`,
    json: { sales: Array.from({ length: sales }, offline) },
    answer: Batch,
  });
  return [
    ...scenesOf({ warm: 20, times: 60 }, { 'sale with a key': withKey, 'with Idempotency-Key': withHeader }),
    ...scenesOf(
      { warm: 3, times: 10, allowed_ms: ALLOWED_MS },
      { [`${sales} late sales of ${LINES} lines in one call`]: batch },
    ),
  ];
}

/** Each of them is accepted. */
const Batch = z.object({ data: z.array(z.object({ status: z.literal(200) })) });

function aMinuteAgo(): string {
  return renderInstant(Date.now() - 60_000);
}
