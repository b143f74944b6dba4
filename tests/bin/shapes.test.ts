import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { startProcess } from '#bin/local/process.ts';
import { READABLE_SHAPES, SHAPE } from '#lib/platform/shape.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { newTable } from '#tests/support/empty-stage.ts';
import { directorAs } from '#tests/support/family.ts';
import { runProgram } from '#tests/support/program.ts';
import { fillWithShape, writeShape } from '#tests/support/shapes.ts';

/*
 * Items keep the shape in which they were written, for years. So a day of each shape is stored: that of the
 * demo, with the demo data. `SHAPES=write` plays one by today's code and stores it, once for each new shape:
 * never again after a stage has it.
 */

const { SHAPES } = process.env;

test.runIf(SHAPES === 'write')('a day of the shape of today is written down', async () => {
  const { address, settings, stop } = await startProcess();
  for (const story of ['day', 'offline', 'webhooks']) {
    const played = await runProgram('demo', [story], { API: address });
    expect(played).toMatchObject({ code: 0 });
  }
  const client = new DynamoDBClient({ endpoint: settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' });
  await writeShape(SHAPE, client, settings['TABLE_NAME'] ?? '');
  await stop();
});

test.each(READABLE_SHAPES)('a day of shape %s adds up, is changed, and adds up again', async (shape) => {
  const table = await newTable();
  expect(await fillWithShape(shape, new DynamoDBClient(), table)).toBeGreaterThan(500);
  const before = await runProgram('verify', ['--table', table]);
  expect(before).toMatchObject({ code: 0, stderr: '' });
  const sale = {
    ...{ cashbox_id: 3, stock_id: 1, currency: 'uzs' },
    products: [{ product_id: 1, sold_quantity: 2 }],
    transactions: [{ payment_type: 'cash', amount: 8000 }],
  };
  await sell(directorAs(3, 1), SaleInput.parse(sale), Date.now(), { saveResponse: () => [] });
  const after = await runProgram('verify', ['--table', table]);
  expect(after).toMatchObject({ code: 0, stderr: '' });
  expect(after.stdout).not.toBe(before.stdout);
});
