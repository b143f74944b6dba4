import * as z from 'zod';
import { PRICE } from '#bench/support/shop.ts';
import type { Reply } from '#bin/cli/person.ts';
import { renderInstant } from '#lib/values/time.ts';
import { type ClientTask, nextStep } from './client-task.ts';
import { changing, type TaskStep } from './operation.ts';
import { smallCart } from './sell.ts';

const HOUR_MS = 3_600_000;

/** Maximum offline sales of a client, and maximum uploads of each batch. */
const MAX_SALES = 5;
const MAX_SENDINGS = 3;

/** Shares: sales with a wrong payment, which are refused and stored; of these, retried and dismissed ones. */
const WRONG = 0.15;
const RETRIED = 0.5;
const DISMISSED = 0.75;

/**
 * Comes back online with a few sales, and uploads them until they are answered; at times once more, as a
 * client does that has lost the response. Some have a wrong payment and are stored as refused: these are
 * retried with the right one, dismissed, or left. The books show whether each was sold once or waits once.
 */
export async function sellOffline(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const sold_at = renderInstant(Date.now() - chance.between(1, 48) * HOUR_MS);
  const count = chance.between(1, MAX_SALES);
  const right = Array.from({ length: count }, (_, index) => offlineSale(errand, index, sold_at));
  const sales = right.map((each) => (chance.next() < WRONG ? payWrongly(each) : each));
  const step: TaskStep = {
    ...{ name: errand.name, kind: 'late sales', scene: errand.scene, trace: null, isKeyed: true },
    request: 'POST /company/trade/sale/sync',
    json: { sales },
    mayMake: count,
  };
  let answer: Reply | undefined;
  for (let times = chance.between(1, MAX_SENDINGS); times > 0; times--) ({ answer } = await run(step));
  for (const [index, row] of (answer?.rows() ?? []).entries()) {
    const [sent, meant] = [sales[index], right[index]];
    const id = Id.safeParse(row.body).data?.refused_id;
    if (typeof id === 'number' && meant && sent !== meant) await endRefused(errand, { id, index, meant });
  }
}

const Id = z.object({ refused_id: z.int().nullable() });

type OfflineSale = ReturnType<typeof offlineSale>;

/** Refused sale: its index in the batch, and its intended content. */
interface Kept {
  readonly id: number;
  readonly index: number;
  readonly meant: OfflineSale;
}

/** Retries a refused sale, which only its own task can correct, or dismisses it, or leaves it. */
async function endRefused(errand: ClientTask, { id, index, meant }: Kept): Promise<void> {
  const { chance, run } = errand;
  const fate = chance.next();
  const { key: _, cashbox_id: __, sold_at: ___, ...mended } = meant;
  if (fate < RETRIED) {
    const terms = chance.next() < 0.5 ? { as_of_now: true } : {};
    const step = changing('retry', nextStep(errand, `retry-${index}`), id, { ...mended, ...terms });
    await run({ ...step, mayMake: 1 });
  } else if (fate < DISMISSED) {
    await run(changing('dismissal', nextStep(errand, `dismissal-${index}`), id, { comment: 'Xato' }));
  }
}

function payWrongly(offline: OfflineSale): OfflineSale {
  return { ...offline, transactions: [{ payment_type: 'card', amount: 1 }] };
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
