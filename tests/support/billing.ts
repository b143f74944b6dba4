import { vi } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { operator } from './external.ts';
import { newFamily } from './family.ts';
import { call } from './http.ts';
import { MAX_WAIT_MS } from './patience.ts';
import type { Family } from './provisioning.ts';

export const TARIFFS = '/admin/billing/tariff';

/** Returns the day at a distance of days from today. */
export function daysFromNow(days: number): string {
  return daysAfter(dayOf(Date.now()), days);
}

/** Builds the terms of a tariff: 100 000 a month, without a trial, blocked after five days of debt. */
export function terms(given: object = {}) {
  const prices = { main: 100_000, branch: 40_000 };
  return { prices, billing_period: 'monthly', trial_ends_at: null, grace_days: 5, ...given };
}

/** Sets a company's tariff over HTTP. */
export async function setTariff(companyId: number, given: object = {}): Promise<Reply> {
  return call(`PUT ${TARIFFS}/${companyId}`, { token: await operator(), json: terms(given) });
}

/** Adjusts a company's prepaid balance by hand. */
export async function depositTo(companyId: number, amount: number, headers = {}): Promise<Reply> {
  const json = { amount, comment: 'By hand' };
  return call(`POST ${TARIFFS}/${companyId}/deposit`, { token: await operator(), json, headers });
}

/** Creates a family with a tariff, whose first month was charged today unless the options differ. */
export async function newSubscriber(given: object = {}): Promise<Family> {
  const family = await newFamily();
  await setTariff(family.companyId, given);
  return family;
}

/** Creates a family with a month unpaid for longer than its grace days, which is therefore blocked. */
export function newDebtor(): Promise<Family> {
  return newSubscriber({ trial_ends_at: daysFromNow(-10) });
}

const Seen = z.looseObject({ balance: z.number(), status: z.string(), due_now: z.number() });

/** Reads the tariff as shown to a caller. */
export async function tariffOf(token: string) {
  return Seen.parse((await call('GET /company/tariff', { token })).body);
}

export const CARD = { card_number: '8600123412341234', expire_date: '12/29' };

/** Cards at which the gateway fails, takes 30 seconds, and refuses. */
export const DOWN_CARD = { ...CARD, card_number: '8600000000000503' };
export const SLOW_CARD = { ...CARD, card_number: '8600000000000504' };
export const REFUSED_CARD = { ...CARD, card_number: '9860000000000403' };

export const RIGHT_CODE = '111111';

/** Sends a payment by card. */
export function payWith(token: string, given: object = {}, headers = {}): Promise<Reply> {
  return call('POST /company/tariff/pay-card', { token, json: { amount: 1000, ...CARD, ...given }, headers });
}

const ByCard = z.object({
  external_id: z.string(),
  transaction_id: z.string(),
  cid: z.string(),
  otp_sent_phone: z.string(),
});

/** Starts a payment by card. */
export async function startByCard(token: string, amount = 1000) {
  return ByCard.parse((await payWith(token, { amount })).body);
}

/** Sends the code for a card payment. */
export function sendCode(token: string, { transaction_id, cid }: z.output<typeof ByCard>, otp: string) {
  return call('POST /company/tariff/pay-card/confirm', { token, json: { transaction_id, cid, otp } });
}

const ByQr = z.object({
  external_id: z.string(),
  provider: z.string(),
  checkout_url: z.url(),
  qr_content: z.string(),
});

/** Starts a payment by QR. */
export async function startByQr(token: string, amount = 1000) {
  const json = { amount, provider: 'provider_a' };
  return ByQr.parse((await call('POST /company/tariff/pay-qr', { token, json })).body);
}

/** Reads the status of a payment. */
export function statusOf(token: string, externalId: string, headers = {}): Promise<Reply> {
  return call(`GET /company/tariff/payment-status/${externalId}`, { token, headers });
}

/** Waits until a payment has a status: as long as its notification may wait among others. */
export async function untilStatus(token: string, externalId: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { body } = await statusOf(token, externalId);
      if (Object(body).status !== status) throw new Error(`It is ${JSON.stringify(body)}, not ${status}`);
    },
    { timeout: MAX_WAIT_MS, interval: 50 },
  );
}

/** Notifies the service as the gateway does, with the right signature unless another is given. */
export function notify(given: object, signature?: string): Promise<Reply> {
  const told = { transaction_id: 'T-1', amount: 1000, status: 'paid', created_at: '2026-11-21T10:00:00Z' };
  const text = JSON.stringify({ ...told, ...given });
  const headers = { 'content-type': 'application/json', [SIGNATURE]: signature ?? signatureOf(text) };
  return call('POST /external/billing/payment-notification', { text, headers });
}
