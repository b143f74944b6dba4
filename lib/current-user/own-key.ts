import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { settings } from '#lib/cash/currency-rate.ts';
import { rightsOf } from '#lib/people/role/rights.ts';
import { getOwn, ProgramKey } from '#lib/people/user/program-key.ts';
import { Currency } from '#lib/values/money.ts';
import { type Instant, Timestamp, ZONE } from '#lib/values/time.ts';

/** The calling key, with the settings that a program needs before its first call. Part 5, 5B.12, 1. */
export const OwnKey = ProgramKey.extend({
  rights: z.array(z.string()),
  sale_currency: Currency,
  time_zone: z.string(),
  now: Timestamp,
});

/** Reads the calling key, with its company, role and rights. 403 for a user. */
export async function getOwnKey(actor: Staff, at: Instant): Promise<z.input<typeof OwnKey>> {
  const [key, { sale_currency }] = await Promise.all([getOwn(actor), settings(actor)]);
  return { ...key, rights: rightsOf(actor), sale_currency, time_zone: ZONE, now: at };
}
