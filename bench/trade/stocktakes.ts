import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import type { Person } from '#bin/cli/person.ts';
import { queueUrlVariable, STOCKTAKE_WORKER } from '#lib/queues/queue.ts';
import { finishStocktake } from '#lib/trade/stocktake/finish.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { requireEnv } from '#lib/values/env.ts';
import { copyGoods } from './copies.ts';

const COUNTS = '/company/trade/inventory';
const A_CALL = 100;
const NO_QUEUE = 'nobody';

const SELDOM = { warm: 1, times: 3 };

/**
 * Returns scenes that take stock of a warehouse of this many positions, a third each of matches, surpluses
 * and shortages: begin, count a hundred, complete, and run the worker that adjusts stock levels.
 */
export async function stocktakeScenes(
  { client, seen, actor, shop }: MeasuredShop,
  size: number,
): Promise<Scene[]> {
  const stock_id = await client.make('/company/stock/stock', { name: `Bench, ${size} positions` });
  const { rows } = await copyGoods(actor.tenant, shop, stock_id, size);
  await discardMessages();
  const beginning = { request: `POST ${COUNTS}`, json: { stock_id, type: 'full' } };
  const begin = async () => {
    await cancelInProgress(client, stock_id);
    return client.make(COUNTS, beginning.json);
  };
  let turn = 0;
  const count = async () => {
    const id = await begin();
    for (const body of bodiesOf(rows, ++turn)) await client.call(`PATCH ${COUNTS}/${id}/add-products`, body);
    return id;
  };
  return scenesOf(SELDOM, {
    [`begin a count of ${size} positions`]: async () => {
      await cancelInProgress(client, stock_id);
      return beginning;
    },
    [`count ${Math.min(A_CALL, size)} of ${size}`]: async () => ({
      request: `PATCH ${COUNTS}/${await begin()}/add-products`,
      json: bodiesOf(rows, ++turn)[0] ?? {},
    }),
    [`complete a count of ${size}`]: async () => ({ request: `PATCH ${COUNTS}/${await count()}/complete` }),
    [`its worker, for ${size} shelves`]: async () => {
      const id = await count();
      await seen.call(`PATCH ${COUNTS}/${id}/complete`);
      return () => finishStocktake({ family_id: actor.familyId, id });
    },
  });
}

/** Builds the bodies of the requests that count all rows of a warehouse, different at each turn. */
function bodiesOf(rows: readonly number[], turn: number) {
  const counted = rows.map((stock_product_id, index) => {
    return { stock_product_id, actual_quantity: 9 + ((index + turn) % 3) };
  });
  return splitEvery(counted, A_CALL).map((products_tmp) => ({ products_tmp }));
}

/** Cancels the stocktake in progress in a warehouse, if any. */
async function cancelInProgress(client: Person, stock_id: number): Promise<void> {
  const open = await client.call(`GET ${COUNTS}?filter[status]=in_progress&filter[stock_id]=${stock_id}`);
  for (const row of open.rows()) await client.call(`PATCH ${COUNTS}/${row.number('id')}/cancel`);
}

/** Discards messages about stocktakes completed in this process. */
async function discardMessages(): Promise<void> {
  await new SQSClient().send(new CreateQueueCommand({ QueueName: NO_QUEUE }));
  const name = queueUrlVariable(STOCKTAKE_WORKER);
  process.env[name] = requireEnv(name).replace(STOCKTAKE_WORKER, NO_QUEUE);
}
