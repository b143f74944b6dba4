import { PRICE } from '#bench/support/shop.ts';
import { renderInstant } from '#lib/values/time.ts';
import type { ClientTask } from './client-task.ts';
import type { TaskStep } from './operation.ts';
import { smallCart } from './sell.ts';

const HOUR_MS = 3_600_000;

/** How many sales a till has made without a network, and how often it sends them at most. */
const MAX_SALES = 5;
const MAX_SENDINGS = 3;

/**
 * Comes back to the network with a few sales, and sends them all until they are answered; at times once more,
 * as a till does that has forgotten that it did. Some are of more than there is, and are kept: whether each
 * is in the books once or waits once is for the books to tell.
 */
export async function sellOffline(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const sold_at = renderInstant(Date.now() - chance.between(1, 48) * HOUR_MS);
  const count = chance.between(1, MAX_SALES);
  const sales = Array.from({ length: count }, (_, index) => offlineSale(errand, index, sold_at));
  const step: TaskStep = {
    ...{ name: errand.name, kind: 'late sales', scene: errand.scene, trace: null, isKeyed: true },
    request: 'POST /company/trade/sale/sync',
    json: { sales },
    mayMake: count,
  };
  for (let times = chance.between(1, MAX_SENDINGS); times > 0; times--) await run(step);
}

function offlineSale(errand: ClientTask, index: number, sold_at: string) {
  const { desks, stockId } = errand.scene;
  const cart = smallCart(errand);
  return {
    ...{ cashbox_id: errand.chance.oneOf(desks), stock_id: stockId, currency: 'uzs', ...cart },
    ...{ key: `${errand.name}-${index}`, sold_at },
    products: cart.products.map((line) => ({ ...line, price: PRICE })),
  };
}
