import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { SYNC_TYPES } from '#lib/table/feed/feed-types.ts';
import { addClient } from '#tests/support/clients.ts';

import { call } from '#tests/support/http.ts';
import { codeOn } from '#tests/support/markup.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { addWebhook, startReceiver } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const page = await (await fetch(`${inject('address')}/docs/events`)).text();

/** Types of the page's table, by operation. */
const documented = new Map(
  [...page.matchAll(/<tr data-operation="([^"]+)">.*?<\/tr>/gs)].map(([row, operation = '']) => [
    operation,
    [...row.matchAll(/<code>([\w.-]+\.(?:created|updated|deleted|restored))<\/code>/g)]
      .map(([, event]) => event)
      .sort(),
  ]),
);

const EVERYTHING = SYNC_TYPES.map(({ type }) => `${type}.*`);

/** Creates a shop whose events are received. */
async function newFollowedShop() {
  const shop = await newShop();
  const { url, got } = await startReceiver();
  await addWebhook(shop.director, url, EVERYTHING);
  const played = new Set<string>();

  /** Makes a call, and compares the types of the events that it made with the page. */
  const play = async (
    request: string,
    json?: object,
    operation = request.replaceAll(/\/\d+/g, '/{model}'),
  ) => {
    // Times of events are in seconds: those of earlier calls are of another one.
    // A timer may end a millisecond before its time.
    const start = Date.now() - (Date.now() % 1000) + 1000;
    while (Date.now() < start) await pause(start - Date.now());
    const reply = await call(request, { token: shop.director, ...(json && { json }) });
    expect(reply.status, `${request}: ${JSON.stringify(reply.body)}`).toBe(200);
    const types = () =>
      [
        ...new Set(
          got.filter(({ body }) => Date.parse(body.timestamp) >= start).map(({ body }) => body.type),
        ),
      ].sort();
    await expect.poll(types, { timeout: MAX_WAIT_MS, message: operation }).toEqual(documented.get(operation));
    played.add(operation);
    return reply;
  };
  return { shop, play, played };
}

function cash(amount: number) {
  return { payment_type: 'cash', amount };
}

function desk({ cashboxId: cashbox_id, stockId: stock_id }: Shop) {
  return { cashbox_id, stock_id };
}

test('Events names the events of each operation, as a webhook receives them (Part 5, 5B.13 (1))', async () => {
  const { shop, play, played } = await newFollowedShop();
  const product = await newGoods(shop, [{ quantity: 50, cost: 1 }], { sale_price: 1000 });
  const client = await addClient(shop);
  const supplier = await make('/company/stock/supplier', shop.director, { name: 'Поставщик' });

  const sold = await play(
    'POST /company/trade/sale',
    saleBody(shop, {
      client_id: client,
      products: [{ product_id: product, sold_quantity: 4 }],
      due_date: '2099-01-01',
      transactions: [cash(2000), { payment_type: 'debt', amount: 2000 }],
    }),
  );
  const sale = sold.number('id');
  const [line] = await linesOfSale(shop, sale);
  await play(`PATCH /company/trade/sale/${sale}/return`, {
    products: [{ id: line?.id, reason_type: 'defective', returned_quantity: 1 }],
    transactions: [],
  });
  await play('POST /company/client/debt-payment', {
    ...{ client_id: client, cashbox_id: shop.cashboxId },
    payments: [cash(500)],
  });
  const held = await play('POST /company/trade/hold', {
    ...desk(shop),
    ...{ full_name: 'Покупатель', date: '2099-01-31', cheque: 1 },
    products: [{ product_id: product, quantity: 1 }],
  });
  await play(`PATCH /company/trade/hold/${held.number('id')}/cancel`);
  const receipt = await play('POST /company/trade/purchase', {
    ...{ stock_id: shop.stockId, supplier_id: supplier, currency: 'uzs' },
    products: [{ product_id: product, quantity: 5, cost: 10 }],
  });
  await play(`PATCH /company/trade/purchase/${receipt.number('id')}/complete`);
  const empty = await make('/company/stock/stock', shop.director, { name: 'Третий' });
  const shelf = await make('/company/stock/stock', shop.director, { name: 'Второй' });
  const sent = await play('POST /company/trade/transfer', {
    ...{ from_stock_id: shop.stockId, to_stock_id: shelf },
    products: [{ product_id: product, quantity: 1 }],
  });
  await play(`PATCH /company/trade/transfer/${sent.number('id')}/complete`);
  await play('POST /company/stock/supplier/{model}/payment'.replace('{model}', String(supplier)), {
    ...{ cashbox_id: shop.cashboxId, payment_type: 'cash', currency: 'uzs', amount: 10 },
  });
  await play(`DELETE /company/stock/stock/${empty}`, undefined);
  const Payload = z.object({
    type: z.string(),
    timestamp: z.iso.datetime(),
    data: z.strictObject({ type: z.string(), id: z.int(), revision: z.int(), company_id: z.int() }),
  });
  expect(Payload.parse(JSON.parse(codeOn(page, 'payload')))).toBeTruthy();
  expect([...documented.keys()].filter((operation) => !played.has(operation))).toEqual([]);
});
