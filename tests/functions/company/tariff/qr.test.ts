import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  newSubscriber,
  startByCard,
  startByQr,
  statusOf,
  tariffOf,
  untilStatus,
} from '#tests/support/billing.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';

const PAY = 'POST /company/tariff/pay-qr';

test('a payment by QR shows the link as a picture, and is paid once the payer has paid there', async () => {
  const { director } = await newSubscriber();
  const { external_id, provider, checkout_url, qr_content } = await startByQr(director, 100_000);
  expect(provider).toBe('provider_a');
  const [head, picture = ''] = qr_content.split(',');
  expect(head).toBe('data:image/png;base64');
  const { format, width = 0, height } = await sharp(Buffer.from(picture, 'base64')).metadata();
  expect(format).toBe('png');
  expect(width).toBeGreaterThan(100);
  expect(height).toBe(width);

  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'pending', amount: 100_000 });
  await fetch(checkout_url, { method: 'POST' });
  await untilStatus(director, external_id, 'paid');
  expect(await tariffOf(director)).toMatchObject({ balance: 0, debt: 0 });
});

test('a payment by QR and one by card cancel each other', async () => {
  const { director } = await newSubscriber();
  const card = await startByCard(director);
  const qr = await startByQr(director);
  expect((await statusOf(director, card.external_id)).body).toMatchObject({ status: 'canceled' });
  await startByCard(director);
  expect((await statusOf(director, qr.external_id)).body).toMatchObject({ status: 'canceled' });
});

test('without a tariff a payment by QR is 404 too (Contract 9.57)', async () => {
  const { director: token } = await newFamily();
  expect((await call(PAY, { token, json: { amount: 1000, provider: 'provider_b' } })).status).toBe(404);
});

test('wrong fields of a payment by QR are 422', async () => {
  const { director } = await newSubscriber();
  expect(Object.keys(await errorsOf(PAY, director, {})).sort()).toEqual(['amount', 'provider']);
  expect(Object.keys(await errorsOf(PAY, director, { amount: 1, provider: 'provider_e' }))).toEqual([
    'provider',
  ]);
});
