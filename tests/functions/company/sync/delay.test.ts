import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { SyncType } from '#lib/records/sync-type.ts';
import { lend, newWater, payDebt } from '#tests/support/debts.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { newCards, PURCHASES } from '#tests/support/stock.ts';
import { SyncReader, untilAsListed, untilChanged } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';
import { newDepot } from '#tests/support/write-offs.ts';

const CHANGES = 1000;
const WRITERS = 4;

/** Minimum interval of up-to-date responses to a caller: thirty times a minute. */
const REST_MS = 2000;

test('1 000 changes beside two readers are all synced (Part 4, 4.1 (7))', async () => {
  const { director: token, companyId } = await newFamily();
  // Two readers, each of whom polls every two seconds, alternately.
  const other = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const types = ['client.bonus-tariff'] as const;
  const committed = new Set<number>();
  const told = new Set<number>();
  const read = async (own: string, from: number) => {
    const copy = await new SyncReader(own, { types }).catchUp();
    await pause(from);
    while (told.size < CHANGES) {
      if (await copy.readPage()) continue;
      for (const { id } of copy.of('client.bonus-tariff')) told.add(id);
      await pause(REST_MS);
    }
  };
  const write = async (writer: number) => {
    for (let each = 0; each < CHANGES / WRITERS; each++) {
      const name = `Tariff ${writer} ${each}`;
      const id = await make('/company/client/bonus-tariff', token, { name, percent: 5 });
      committed.add(id);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  await Promise.all([read(token, 0), read(other.token, REST_MS / 2), ...writers]);
  expect(told).toEqual(committed);
});

test('two tills that sell and change at once beside a reader: it ends with what the lists give', async () => {
  const shop = await newShop();
  const { director: token, companyId } = shop;
  const water = await newGoods(shop, [{ quantity: 1000, cost: 1 }], { sale_price: 1 });
  const second = {
    ...shop,
    cashboxId: await make('/company/cashbox/cashbox', token, { name: 'Desk 2', type: 'sale' }),
  };
  const types: SyncType[] = [
    'stock.product',
    'cashbox.cashbox',
    'cashbox.transfer',
    'trade.sale',
    'client.client',
  ];
  const { token: reader } = await insertUser({
    type: 'director',
    company_id: companyId,
    family_id: companyId,
  });
  const copy = await new SyncReader(reader, { types, limit: 20 }).catchUp();
  const sell = async (till: typeof shop) => {
    for (let each = 0; each < 25; each++) {
      const sold = await sellOne(till, water, 1, 1);
      const { id } = z.object({ id: z.int() }).parse(sold.body);
      const [line] = await linesOfSale(till, id);
      if (each % 3 === 0) await sendReturn(till, id, back({ [line?.id ?? 0]: 1 }, 1));
      const main_phone = `99890${till.cashboxId}${String(each).padStart(6, '0')}`;
      if (each % 5 === 0) await make('/company/client/client', token, { full_name: 'Aziz', main_phone });
    }
  };
  const read = async () => {
    for (let each = 0; each < 10; each++, await pause(REST_MS / 4)) await copy.catchUp();
  };
  await Promise.all([sell(shop), sell(second), read()]);
  await untilAsListed(copy, reader, types);
  expect(copy.of('trade.sale')).toHaveLength(50);
});

test('a client’s debt and a supplier’s balances are sums of theirs: a change of these is synced', async () => {
  const shop = await newShop();
  const water = await newWater(shop);
  const { director: token, stockId: stock_id } = shop;
  const main_phone = '998901112233';
  const client = await make('/company/client/client', token, { full_name: 'Aziz', main_phone });
  const supplier = await make('/company/stock/supplier', token, { name: 'Ferma' });
  const types = ['client.client', 'stock.supplier'] as const;
  const copy = await new SyncReader(token, { types }).catchUp();
  const revisionOf = (type: SyncType, id: number) => copy.entry(type, id)?.revision;
  await lend(shop, { client, water, amount: 100 });
  const owing = await untilChanged(copy, 'client.client', client, revisionOf('client.client', client));
  expect(owing.record).toMatchObject({ debts: { uzs: 100 } });
  await payDebt(shop, client, { cash: 30 });
  const paid = await untilChanged(copy, 'client.client', client, owing.revision);
  expect(paid.record).toMatchObject({ debts: { uzs: 70 } });
  const known = revisionOf('stock.supplier', supplier);
  const products = [{ product_id: water, quantity: 10, cost: 2 }];
  const receipt = { stock_id, supplier_id: supplier, currency: 'uzs', products };
  const id = await make(PURCHASES, token, receipt);
  await call(`PATCH ${PURCHASES}/${id}/complete`, { token });
  const owed = await untilChanged(copy, 'stock.supplier', supplier, known);
  expect(JSON.stringify(owed.record['balances'])).toContain('20');
});

test('a document of over a hundred writes is synced whole once it is applied', async () => {
  const depot = await newDepot(1);
  const types = ['trade.purchase', 'stock.product', 'product.product'] as const;
  const copy = await new SyncReader(depot.token, { types }).catchUp();
  const many = [...(await newCards(depot, 75)), ...(await newCards(depot, 75))];
  const products = many.map((product_id) => ({ product_id, quantity: 1, cost: 2 }));
  const receipt = { stock_id: depot.stockId, supplier_id: depot.supplierId, currency: 'uzs', products };
  const id = await make(PURCHASES, depot.token, receipt);
  expect((await call(`PATCH ${PURCHASES}/${id}/complete`, { token: depot.token })).status).toBe(200);
  const draft = copy.entry('trade.purchase', id)?.revision ?? 1;
  const told = await untilChanged(copy, 'trade.purchase', id, draft);
  expect(told.record).toMatchObject({ status: 'completed', products: { length: many.length } });
  await untilAsListed(copy, depot.token, types);
  expect(copy.of('stock.product')).toHaveLength(many.length + 1);
});

test('what changed five times before it was asked for may come once, as it is now', async () => {
  const { director: token } = await newFamily();
  const path = '/company/client/bonus-tariff';
  const id = await make(path, token, { name: 'T 1', percent: 5 });
  const copy = await new SyncReader(token, { types: ['client.bonus-tariff'] }).catchUp();
  for (const percent of [6, 7, 8, 9, 10]) {
    expect((await call(`PUT ${path}/${id}`, { token, json: { name: 'T 1', percent } })).status).toBe(200);
  }
  await expect
    .poll(() => untilChanged(copy, 'client.bonus-tariff', id, 5), { timeout: MAX_WAIT_MS })
    .toMatchObject({
      ...{ revision: 6, record: { percent: 10 } },
    });
});
