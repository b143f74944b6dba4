import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { queueUrlVariable, RECOVERY_WORKER, STOCKTAKE_WORKER } from '#lib/queues/queue.ts';
import { putNew } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { cancelStocktake, completeStocktake } from '#lib/trade/stocktake/end.ts';
import { nothing } from '#tests/support/save-response.ts';
import {
  count,
  countSeen,
  newStoreForStocktake,
  staffOf,
  startStocktake,
} from '#tests/support/stocktakes.ts';

// Sync and webhooks learn of these changes from a worker, which is notified before they are made.

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Makes a worker's queue reject messages: the address has no server. */
function refuse(worker: string): void {
  vi.stubEnv(queueUrlVariable(worker), 'http://127.0.0.1:9/000000000000/none');
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
}

test('a stocktake whose end is not enqueued for a worker stays in progress, and its end is 503 (Part 4, 4.1 (7))', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(
    shop,
    id,
    products.map((product) => [product, 7]),
  );
  const [actor, at] = [await staffOf(token), Date.now()];
  const complete = () => completeStocktake(actor, id, { at, locale: 'ru' }, nothing);
  refuse(STOCKTAKE_WORKER);
  await expect(complete()).rejects.toMatchObject({ status: 503 });
  await expect(cancelStocktake(actor, id, at, nothing)).rejects.toMatchObject({ status: 503 });
  expect(await countSeen(token, id)).toMatchObject({ status: 'in_progress' });
  vi.unstubAllEnvs();
  await complete();
  expect(await countSeen(token, id)).toMatchObject({ status: 'completed' });
});

test('a large transaction that is not enqueued for a worker is 503, and nothing is changed (Part 4, 4.1 (7))', async () => {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 150 }, (_, index) => ({ pk, sk: String(index).padStart(5, '0') }));
  const write = () => transact(keys.map((key) => putNew(key, { n: 1 })));
  refuse(RECOVERY_WORKER);
  await expect(write()).rejects.toMatchObject({ status: 503 });
  expect((await getItems(keys)).every((item) => item === undefined)).toBe(true);
  vi.unstubAllEnvs();
  await write();
  expect((await getItems(keys)).every((item) => item?.['n'] === 1)).toBe(true);
});
