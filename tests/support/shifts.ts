import { expect } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { call } from './http.ts';
import type { Family } from './provisioning.ts';
import { newShop, type Shop } from './shop.ts';

export const SHIFTS = '/company/trade/cashbox-shift';

const Made = z.object({ id: z.int() });

/** Fields of a closed shift read by tests. */
const Closed = z.looseObject({
  id: z.int(),
  status: z.string(),
  collection_id: z.int().nullable(),
  summary: z.looseObject({
    rows: z.array(z.looseObject({ payment_type: z.string(), currency: z.string() })),
    totals: z.array(z.looseObject({ currency: z.string() })),
    transactions: z.array(z.looseObject({ source_type: z.string() })),
  }),
});

/** Makes a family's main company work with shifts. */
export async function enableShifts({ director: token }: Family, given: object = {}): Promise<void> {
  const json = { cashbox_shift_settings: { is_enabled: true, ...given } };
  expect((await call('PUT /company/company/settings', { token, json })).status).toBe(200);
}

/** Creates a shop whose company works with shifts. */
export async function newShiftShop(given: object = {}): Promise<Shop> {
  const shop = await newShop();
  await enableShifts(shop, given);
  return shop;
}

/** Opens a shift at the shop's desk, and returns the response. */
export function tryToOpen({ director, cashboxId, stockId }: Shop, given: object = {}): Promise<Reply> {
  const json = { cashbox_id: cashboxId, stock_id: stockId, ...given };
  return call(`POST ${SHIFTS}`, { token: director, json });
}

/** Opens a shift at the shop's desk, and returns its id. */
export async function beginShift(shop: Shop, given: object = {}): Promise<number> {
  const { status, body } = await tryToOpen(shop, given);
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(200);
  return Made.parse(body).id;
}

/** Closes a shift, leaving the money in the desk unless the body overrides it, and returns the response. */
export function tryToClose({ director }: Shop, id: number, given: object = {}, headers = {}): Promise<Reply> {
  const json = { closing_action: 'keep', ...given };
  return call(`PATCH ${SHIFTS}/${id}/close`, { token: director, json, headers });
}

/** Closes a shift, and returns it. */
export async function endShift(shop: Shop, id: number, given: object = {}) {
  const { status, body } = await tryToClose(shop, id, given);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'closed' } });
  return Closed.parse(body);
}
