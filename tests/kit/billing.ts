import * as z from 'zod';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { operator } from './external.ts';
import { type Family, newFamily } from './family.ts';
import { call, type Reply } from './http.ts';

export const TARIFFS = '/admin/billing/tariff';

/** A day so many days from today. */
export function daysFromNow(days: number): string {
  return daysAfter(dayOf(Date.now()), days);
}

/** Makes the terms of a tariff: 100 000 a month, without a trial, blocked after five days of debt. */
export function terms(given: object = {}) {
  const prices = { main: 100_000, branch: 40_000 };
  return { prices, billing_period: 'monthly', trial_ends_at: null, grace_days: 5, ...given };
}

/** Sets a company's tariff over HTTP. */
export async function setTariff(companyId: number, given: object = {}): Promise<Reply> {
  return call(`PUT ${TARIFFS}/${companyId}`, { token: await operator(), json: terms(given) });
}

/** Changes what a company has paid ahead, by hand. */
export async function depositTo(companyId: number, amount: number, headers = {}): Promise<Reply> {
  const json = { amount, comment: 'By hand' };
  return call(`POST ${TARIFFS}/${companyId}/deposit`, { token: await operator(), json, headers });
}

/** Makes a family with a tariff, whose first month was charged today unless the terms say otherwise. */
export async function newSubscriber(given: object = {}): Promise<Family> {
  const family = await newFamily();
  await setTariff(family.companyId, given);
  return family;
}

/** Makes a family that owes a month since before its grace days, and so is blocked. */
export function newDebtor(): Promise<Family> {
  return newSubscriber({ trial_ends_at: daysFromNow(-10) });
}

const Seen = z.looseObject({ balance: z.number(), status: z.string(), due_now: z.number() });

/** Reads the tariff as a caller sees it. */
export async function tariffOf(token: string) {
  return Seen.parse((await call('GET /company/tariff', { token })).body);
}
