import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { MeasuredShop } from '#bench/kit/measured-shop.ts';
import type { Scene } from '#bench/kit/scene.ts';
import type { Person } from '#bin/program/person.ts';
import { FINISHING, queueSetting } from '#lib/queues/queue.ts';
import { finishCount } from '#lib/trade/count/finish.ts';
import { pieces } from '#lib/values/pieces.ts';
import { setting } from '#lib/values/setting.ts';
import { copyGoods } from './copies.ts';

const COUNTS = '/company/trade/inventory';
const A_CALL = 100;
const NOBODY = 'nobody';

const Begun = z.object({ data: z.array(z.object({ id: z.int() })) });

/**
 * Counts a warehouse of so many positions, of which every third matches, one has more and one has less:
 * begins, counts a hundred, completes, and has the worker see to the shelves.
 */
export async function countScenes(
  { client, seen, actor, shop }: MeasuredShop,
  size: number,
): Promise<Scene[]> {
  const stock_id = await client.make('/company/stock/stock', { name: `Bench, ${size} positions` });
  const { rows } = await copyGoods(actor.home, shop, stock_id, size);
  await keepFromWorkers();
  let turn = 0;
  const bodies = () => {
    turn++;
    const counted = rows.map((stock_product_id, index) => {
      return { stock_product_id, actual_quantity: 9 + ((index + turn) % 3) };
    });
    return pieces(counted, A_CALL).map((products_tmp) => ({ products_tmp }));
  };
  const begin = async () => {
    await cancelBegun(client, stock_id);
    return client.make(COUNTS, { stock_id, type: 'full' });
  };
  const count = async () => {
    const id = await begin();
    for (const body of bodies()) await client.call(`PATCH ${COUNTS}/${id}/add-products`, body);
    return id;
  };
  const seldom = { warm: 1, times: 3 };
  return [
    {
      what: `begin a count of ${size} positions`,
      ...seldom,
      prepare: async () => {
        await cancelBegun(client, stock_id);
        return { request: `POST ${COUNTS}`, json: { stock_id, type: 'full' } };
      },
    },
    {
      what: `count ${Math.min(A_CALL, size)} of ${size}`,
      ...seldom,
      prepare: async () => ({
        request: `PATCH ${COUNTS}/${await begin()}/add-products`,
        json: bodies()[0] ?? {},
      }),
    },
    {
      what: `complete a count of ${size}`,
      ...seldom,
      prepare: async () => ({ request: `PATCH ${COUNTS}/${await count()}/complete` }),
    },
    {
      what: `its worker, for ${size} shelves`,
      ...seldom,
      prepare: async () => {
        const id = await count();
        await seen.call(`PATCH ${COUNTS}/${id}/complete`);
        return () => finishCount({ family_id: actor.familyId, id });
      },
    },
  ];
}

/** Ends the count that is in progress in a warehouse, if one is. */
async function cancelBegun(client: Person, stock_id: number): Promise<void> {
  const begun = `GET ${COUNTS}?filter[status]=in_progress&filter[stock_id]=${stock_id}`;
  const { body } = await client.call(begun);
  for (const { id } of Begun.parse(body).data) await client.call(`PATCH ${COUNTS}/${id}/cancel`);
}

/** Has messages about counts that are completed in this process come to nobody. */
async function keepFromWorkers(): Promise<void> {
  await new SQSClient().send(new CreateQueueCommand({ QueueName: NOBODY }));
  const name = queueSetting(FINISHING);
  process.env[name] = setting(name).replace(FINISHING, NOBODY);
}
