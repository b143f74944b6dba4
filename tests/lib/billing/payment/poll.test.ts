import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type GatewaySimulator, startGateway } from '#bin/local/gateway/simulator.ts';
import { pollPendingPayments } from '#lib/billing/payment/end.ts';
import { findPayment } from '#lib/billing/payment/record.ts';
import { payByCard, payByQr } from '#lib/billing/payment/start.ts';
import { findTariff } from '#lib/billing/record.ts';
import { CARD, newSubscriber } from '#tests/support/billing.ts';
import { directorAs } from '#tests/support/family.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { nothing } from '#tests/support/save-response.ts';

const HOUR = 3_600_000;
/** A month ago: so the payments of other tests, which belong to another gateway, are not polled. */
const THEN = Date.now() - 30 * 24 * HOUR;

/** Gateway of this file's own, whose notifications go nowhere. */
let gateway: GatewaySimulator;

beforeAll(async () => {
  gateway = await startGateway(() => 'http://127.0.0.1:1');
});

afterAll(() => gateway.stop());

beforeEach(() => void vi.stubEnv('GATEWAY_URL', gateway.address));

function payQr({ companyId, directorId }: Family, at: number) {
  return payByQr(directorAs(directorId, companyId), { amount: 100_000, provider: 'provider_a' }, at, nothing);
}

async function balanceOf({ companyId }: Family) {
  return (await findTariff(companyId))?.balance;
}

async function statusOf(externalId: string) {
  return (await findPayment(externalId))?.status;
}

test('a payment whose notification was lost is asked for after an hour, and credited once', async () => {
  const family = await newSubscriber();
  const at = THEN;
  const { external_id, checkout_url } = await payQr(family, at);
  await fetch(checkout_url, { method: 'POST' });
  await pollPendingPayments(at + HOUR / 2);
  expect(await statusOf(external_id)).toBe('pending');
  await pollPendingPayments(at + HOUR + 1);
  expect(await statusOf(external_id)).toBe('paid');
  await pollPendingPayments(at + HOUR + 1);
  expect(await balanceOf(family)).toBe(-10_000_000 + 100_000);
});

test('so is one that was canceled for a newer one', async () => {
  const family = await newSubscriber();
  const at = THEN;
  const { external_id, checkout_url } = await payQr(family, at);
  await payQr(family, at);
  expect(await statusOf(external_id)).toBe('canceled');
  await fetch(checkout_url, { method: 'POST' });
  await pollPendingPayments(at + HOUR + 1);
  expect(await statusOf(external_id)).toBe('paid');
  expect(await balanceOf(family)).toBe(-9_900_000);
});

test('what nobody has paid is pending, and has failed after three days', async () => {
  const family = await newSubscriber();
  const at = THEN;
  const { external_id } = await payQr(family, at);
  await pollPendingPayments(at + 70 * HOUR);
  expect(await statusOf(external_id)).toBe('pending');
  await pollPendingPayments(at + 73 * HOUR);
  expect(await statusOf(external_id)).toBe('failed');
});

test('while the gateway is out, nothing ends and no payment begins', async () => {
  const family = await newSubscriber();
  const at = THEN;
  const { external_id } = await payQr(family, at);
  gateway.setDown(true);
  try {
    await expect(pollPendingPayments(at + HOUR + 1)).rejects.toMatchObject({ status: 503 });
    await expect(payQr(family, at)).rejects.toMatchObject({ status: 503 });
    const card = { amount: 100_000, phone: null, ...CARD };
    const actor = directorAs(family.directorId, family.companyId);
    await expect(payByCard(actor, card, at, nothing)).rejects.toMatchObject({ status: 503 });
  } finally {
    gateway.setDown(false);
  }
  expect(await statusOf(external_id)).toBe('pending');
  expect((await findTariff(family.companyId))?.external_id).toBe(external_id);
});
