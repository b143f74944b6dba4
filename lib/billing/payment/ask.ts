import * as z from 'zod';
import { askForPayment } from '#lib/billing/gateway.ts';
import { walk } from '#lib/table/read/get.ts';
import { amount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { endPayment, type Outcome } from './credit.ts';
import { WATCHED } from './record.ts';

const HOUR_MS = 3_600_000;

/** The gateway takes a payment for so long at most: what has not ended by then never will. */
const MOST_WAITED_MS = 72 * HOUR_MS;

const STEP = 100;

const Watched = z.object({ external_id: z.string(), created_at: z.number() });

const WireAmount = amount(0);

/** A payment whose end was asked for, and what became of it. */
export interface AskedEnd {
  readonly external_id: string;
  readonly outcome: Outcome;
}

/**
 * Asks the gateway for the payments that have not ended after an hour, also those that were canceled for
 * newer ones: a notification may have been lost. Part 3, "Tariff payment". 503 if the gateway fails.
 */
export async function askForEnds(at: Instant): Promise<AskedEnd[]> {
  const answered: AskedEnd[] = [];
  for await (const items of walk(WATCHED, STEP)) {
    for (const { external_id, created_at } of items.map((item) => Watched.parse(item))) {
      if (created_at > at - HOUR_MS) return answered;
      const outcome = await askForEnd(external_id, at, at - created_at > MOST_WAITED_MS);
      if (outcome) answered.push({ external_id, outcome });
    }
  }
  return answered;
}

/** Asks the gateway for a payment and ends it; undefined if it goes on. */
async function askForEnd(external_id: string, at: Instant, isOver: boolean): Promise<Outcome | undefined> {
  const found = await askForPayment(external_id);
  if (found?.status === 'pending' && !isOver) return undefined;
  const cents = WireAmount.parse(found?.amount ?? 0);
  return endPayment({ external_id, amount: cents, status: found?.status === 'paid' ? 'paid' : 'failed', at });
}
