import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signatureOf } from '#lib/auth/signature.ts';
import { newSubscriber, notify, startByQr, statusOf, tariffOf, untilStatus } from '#tests/support/billing.ts';
import { call } from '#tests/support/http.ts';

/** Gives the worker time to process a message that must change nothing. */
const seen = () => pause(1500);

test('a signed notification tops the balance up once, however often it comes (Contract 9.56)', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByQr(director, 1000);
  const replies = await Promise.all(Array.from({ length: 5 }, () => notify({ external_id })));
  expect(replies).toMatchObject(replies.map(() => ({ status: 200, body: { message: 'Успешно' } })));
  await untilStatus(director, external_id, 'paid');
  await notify({ external_id });
  await notify({ external_id, status: 'failed' });
  await seen();
  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'paid' });
  expect(await tariffOf(director)).toMatchObject({ balance: -99_000 });
});

test('without the right signature it is 404 and changes nothing (Contract 9.56)', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByQr(director, 1000);
  for (const signature of ['', 'abc', signatureOf('another body'), 'ü'.repeat(64)]) {
    const reply = await notify({ external_id }, encodeURI(signature));
    expect(reply.status).toBe(404);
  }
  const bare = await call('POST /external/billing/payment-notification', { json: { external_id } });
  expect(bare.status).toBe(404);
  await seen();
  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'pending' });
});

test('for another amount than was asked nothing is credited (Contract 9.56)', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByQr(director, 1000);
  for (const amount of [999.99, 1000.01, 100_000]) {
    expect((await notify({ external_id, amount })).status).toBe(200);
  }
  await seen();
  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'pending', is_paid: false });
  expect(await tariffOf(director)).toMatchObject({ balance: -100_000 });
});

test('paid after it was canceled, a payment is credited and paid (Contract 9.56)', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByQr(director, 1000);
  const later = await startByQr(director, 2000);
  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'canceled' });
  await notify({ external_id });
  await untilStatus(director, external_id, 'paid');
  expect(await tariffOf(director)).toMatchObject({ balance: -99_000 });
  expect((await statusOf(director, later.external_id)).body).toMatchObject({ status: 'pending' });
});

test('a payment that failed has failed, and is credited if it is paid after all', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByQr(director, 1000);
  await notify({ external_id, status: 'failed' });
  await untilStatus(director, external_id, 'failed');
  expect(await tariffOf(director)).toMatchObject({ balance: -100_000 });
  await notify({ external_id });
  await untilStatus(director, external_id, 'paid');
  expect(await tariffOf(director)).toMatchObject({ balance: -99_000 });
});

test('an unknown payment is 200, and a broken body 422 (Contract 9.67)', async () => {
  expect((await notify({ external_id: 'unknown' })).status).toBe(200);
  expect((await notify({ external_id: `999999-${'0'.repeat(32)}` })).status).toBe(200);
  expect((await notify({ external_id: 1 })).status).toBe(422);
  expect((await notify({ external_id: 'x', status: 'lost' })).status).toBe(422);
});
