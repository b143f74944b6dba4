import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LOCALES } from '#lib/values/text.ts';
import {
  CARD,
  DOWN_CARD,
  newDebtor,
  newSubscriber,
  payWith,
  REFUSED_CARD,
  RIGHT_CODE,
  SLOW_CARD,
  sendCode,
  setTariff,
  startByCard,
  statusOf,
  tariffOf,
  untilStatus,
} from '#tests/support/billing.ts';
import { newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';

const PAY = 'POST /company/tariff/pay-card';

test('a payment by card is pending, and paid after the code and the notification', async () => {
  const { director } = await newSubscriber();
  const started = await startByCard(director, 30_000.5);
  expect(started.otp_sent_phone).toMatch(/\*/);
  const { external_id } = started;
  expect((await statusOf(director, external_id)).body).toEqual({
    external_id,
    status: 'pending',
    status_label: 'Ожидает оплаты',
    amount: 30_000.5,
    is_paid: false,
  });
  expect(await tariffOf(director)).toMatchObject({ balance: -100_000 });
  const confirmed = await sendCode(director, started, RIGHT_CODE);
  expect(confirmed).toMatchObject({
    status: 200,
    body: { external_id, transaction_id: started.transaction_id, status: 'processing' },
  });
  await untilStatus(director, external_id, 'paid');
  expect((await statusOf(director, external_id)).body).toMatchObject({ is_paid: true });
  // The gateway has sent the notification twice.
  expect(await tariffOf(director)).toMatchObject({ balance: -69_999.5 });
  expect((await sendCode(director, started, RIGHT_CODE)).body).toMatchObject({ status: 'paid' });
});

test('the status is shown in three languages', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByCard(director);
  const labels = await Promise.all(
    LOCALES.map(async (locale) => {
      const { body } = await statusOf(director, external_id, { 'accept-language': locale });
      return Object(body).status_label;
    }),
  );
  expect(new Set(labels).size).toBe(LOCALES.length);
});

test('a wrong and an expired code are 400 with a text, and the payment waits on (Contract 9.58)', async () => {
  const { director } = await newSubscriber();
  const started = await startByCard(director);
  expect(await sendCode(director, started, '000000')).toMatchObject({
    status: 400,
    body: { code: 'tariff.otp_wrong' },
  });
  expect(await sendCode(director, started, '999999')).toMatchObject({
    status: 400,
    body: { code: 'tariff.otp_expired' },
  });
  expect((await statusOf(director, started.external_id)).body).toMatchObject({ status: 'pending' });
  expect((await sendCode(director, started, RIGHT_CODE)).status).toBe(200);
});

test('after five codes that were not right, a payment takes none for an hour, and the next one does', async () => {
  const { director } = await newSubscriber();
  const started = await startByCard(director);
  for (let each = 0; each < 5; each++) {
    expect((await sendCode(director, started, '000000')).status).toBe(400);
  }
  const refused = await sendCode(director, started, RIGHT_CODE);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await sendCode(director, await startByCard(director), RIGHT_CODE)).status).toBe(200);
});

test('many codes at once for a payment count as no more than five guesses', async () => {
  const { director } = await newSubscriber();
  const started = await startByCard(director);
  const sent = await Promise.all(Array.from({ length: 12 }, () => sendCode(director, started, '000000')));
  const statuses = sent.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(400), ...Array(7).fill(429)]);
});

test('after twenty codes that were not right a family confirms nothing for an hour, and others do', async () => {
  const [{ companyId, director, branchDirector }, other] = await Promise.all([
    newFamilyWithBranch(),
    newSubscriber(),
  ]);
  await setTariff(companyId);
  for (let payment = 0; payment < 4; payment++) {
    const started = await startByCard(director);
    const codes = Array.from({ length: 5 }, () => sendCode(branchDirector, started, '000000'));
    expect((await Promise.all(codes)).map(({ status }) => status)).toEqual(Array(5).fill(400));
  }
  expect((await sendCode(director, await startByCard(director), RIGHT_CODE)).status).toBe(429);
  const { director: stranger } = other;
  expect((await sendCode(stranger, await startByCard(stranger), RIGHT_CODE)).status).toBe(200);
});

test('a card number comes as a number too, exact beyond 2^53 (Contract 8)', async () => {
  const { director: token } = await newSubscriber();
  const send = (card_number: string) => {
    const text = `{"amount":1000,"card_number":${card_number},"expire_date":"12/29"}`;
    return call(PAY, { token, text, headers: { 'content-type': 'application/json' } });
  };
  expect((await send('8600123412341234')).status).toBe(200);
  // Parsed as a JavaScript number it would be another card, which the gateway accepts.
  expect(await send(REFUSED_CARD.card_number)).toMatchObject({
    status: 400,
    body: { code: 'tariff.card_refused' },
  });
  expect(await payWith(token, REFUSED_CARD)).toMatchObject({ body: { code: 'tariff.card_refused' } });
  for (const wrong of ['860012341234123', '86001234123412345', '8.6e15', '-860012341234123']) {
    expect((await send(wrong)).status).toBe(422);
  }
});

test('wrong fields of a payment are 422', async () => {
  const { director } = await newSubscriber();
  const errors = async (json: object) => Object.keys(await errorsOf(PAY, director, json)).sort();
  expect(await errors({})).toEqual(['amount', 'card_number', 'expire_date']);
  expect(await errors({ amount: 0.99, card_number: '8600', expire_date: '12/20299', phone: '1' })).toEqual([
    'amount',
    'card_number',
    'expire_date',
    'phone',
  ]);
  expect(await errors({ ...CARD, amount: 1.001 })).toEqual(['amount']);
  expect(await errors({ ...CARD, amount: 1, cvv: '123' })).toEqual(['cvv']);
  expect(await errors({ ...CARD, amount: 1_000_000_000_000 })).toEqual(['amount']);
});

test('a gateway that is down is 503, makes no payment and leaves the earlier one (Contract 9.57)', async () => {
  const { director } = await newSubscriber();
  const started = await startByCard(director);
  expect(await payWith(director, DOWN_CARD)).toMatchObject({
    status: 503,
    body: { code: 'tariff.gateway_unavailable' },
  });
  expect((await statusOf(director, started.external_id)).body).toMatchObject({ status: 'pending' });
  expect((await sendCode(director, started, RIGHT_CODE)).status).toBe(200);
});

test('a gateway that takes too long is 503 (Contract 9.58, 9.67)', async () => {
  const { director } = await newSubscriber();
  const { external_id } = await startByCard(director);
  expect((await payWith(director, SLOW_CARD)).status).toBe(503);
  expect((await statusOf(director, external_id)).body).toMatchObject({ status: 'pending' });
});

test('a new payment cancels the one that has not ended', async () => {
  const { director } = await newSubscriber();
  const first = await startByCard(director);
  const second = await startByCard(director);
  expect((await statusOf(director, first.external_id)).body).toMatchObject({ status: 'canceled' });
  expect((await statusOf(director, second.external_id)).body).toMatchObject({ status: 'pending' });
  expect((await sendCode(director, first, RIGHT_CODE)).status).toBe(404);
});

test('of payments that are started at once one is pending', async () => {
  const { director } = await newSubscriber();
  const started = await Promise.all(Array.from({ length: 5 }, () => startByCard(director)));
  const statuses = await Promise.all(
    started.map(async ({ external_id }) => Object((await statusOf(director, external_id)).body).status),
  );
  expect(statuses.toSorted()).toEqual(['canceled', 'canceled', 'canceled', 'canceled', 'pending']);
});

test("another family's payment, and an unknown one, are 404", async () => {
  const [{ director }, stranger] = await Promise.all([newSubscriber(), newSubscriber()]);
  const started = await startByCard(director);
  expect((await statusOf(stranger.director, started.external_id)).status).toBe(404);
  expect((await sendCode(stranger.director, started, RIGHT_CODE)).status).toBe(404);
  for (const unknown of ['1', 'x', `${started.external_id}0`, started.external_id.replace(/.$/, 'g')]) {
    expect((await statusOf(director, unknown)).status).toBe(404);
  }
  expect((await sendCode(director, { ...started, transaction_id: 'x' }, RIGHT_CODE)).status).toBe(404);
});

test('an external_id can not be guessed from another (Contract 9.57)', async () => {
  const { director } = await newSubscriber();
  const [first, second] = [await startByCard(director), await startByCard(director)];
  const random = ({ external_id }: { external_id: string }) => external_id.split('-')[1] ?? '';
  expect(random(first)).toMatch(/^[0-9a-f]{32}$/);
  expect(random(first).slice(0, 8)).not.toBe(random(second).slice(0, 8));
});

test('without a tariff a payment is 404', async () => {
  const { director } = await newFamily();
  expect((await payWith(director)).status).toBe(404);
});

test('a branch pays for its main company', async () => {
  const { companyId, director, branchDirector } = await newFamilyWithBranch();
  await setTariff(companyId);
  const started = await startByCard(branchDirector, 40_000);
  await sendCode(branchDirector, started, RIGHT_CODE);
  await untilStatus(director, started.external_id, 'paid');
  expect(await tariffOf(director)).toMatchObject({ balance: -100_000 });
});

test('a blocked company pays, and is free by that (Contract 6)', async () => {
  const { director } = await newDebtor();
  const write = () => call('POST /company/stock/stock', { token: director, json: { name: randomUUID() } });
  expect((await write()).status).toBe(400);
  const started = await startByCard(director, 100_000);
  await sendCode(director, started, RIGHT_CODE);
  await untilStatus(director, started.external_id, 'paid');
  expect((await write()).status).toBe(200);
});

test('the POSTs need their own rights (Contract 9.54, 9.60)', async () => {
  const family = await newSubscriber();
  const token = await newEmployee(family, ['company.tariff.pay-card', 'company.tariff.confirm']);
  const started = await startByCard(token);
  expect((await sendCode(token, started, RIGHT_CODE)).status).toBe(200);
  expect((await statusOf(token, started.external_id)).status).toBe(403);
});

test('a payment that is sent twice with one key is one payment', async () => {
  const { director } = await newSubscriber();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await payWith(director, {}, headers);
  const again = await payWith(director, {}, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect((await payWith(director, { card_number: '8600123412341235' }, headers)).status).toBe(409);
});
