import { expect, inject, test } from 'vitest';
import { dueRevisions } from '#bench/chaos/due-revisions.ts';
import { readFromStart } from '#bench/chaos/sync/replicas.ts';
import {
  count,
  endStocktake,
  newStoreForStocktake,
  rowIds,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';

const log = { file: '', counts: new Map<string, number>(), note: () => undefined };

test('a stocktake raises the revision of every stock level of its warehouse, and events are due of those that differed', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const [agreed, short, uncounted] = products;
  const read = () => readFromStart(inject('address'), { token }, log);
  const first = await read();
  const before = new Map([...first].map(([key, { revision }]) => [key, revision]));
  const id = await startStocktake(shop, { type: 'partial', product_ids: [agreed, short] });
  await count(shop, id, [
    [agreed, 10],
    [short, 19],
  ]);
  await endStocktake(shop, id, 'complete');
  await waitUntilFinished(shop, products);
  const entries = await read();
  const rows = await rowIds(shop);
  const raisedBy = (product: number) => {
    const key = `stock.product ${rows.get(product)}`;
    return (entries.get(key)?.revision ?? 0) - (before.get(key) ?? 0);
  };
  expect([agreed, short, uncounted].map(raisedBy)).toEqual([3, 3, 2]);
  const due = dueRevisions({ familyId: shop.companyId, entries, before });
  const name = `/${shop.companyId} stock.product`;
  expect(due.filter((each) => each.name.startsWith(name)).map((each) => each.name)).toEqual([
    `${name} ${rows.get(short)}`,
  ]);
});
