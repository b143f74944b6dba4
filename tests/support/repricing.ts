import { expect } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { call } from './http.ts';
import type { Shop } from './shop.ts';

export const REPRICINGS = '/company/trade/recalculation-batch';
export const PRODUCTS = '/company/product/product';

const MINUTE_MS = 60_000;

/** A plan so far ahead starts after any test: its worker takes those of all families. */
export const MONTH_IN_MINUTES = 43_200;

/** Returns a whole minute, some minutes from now, for a planned repricing. */
export function minuteFromNow(minutes: number): number {
  return (Math.floor(Date.now() / MINUTE_MS) + minutes) * MINUTE_MS;
}

const Batch = z.looseObject({ id: z.int(), products: z.array(z.looseObject({ product_id: z.int() })) });

const Rates = z.object({ rows: z.array(z.object({ currency: z.string(), rate: z.number() })) });

/** Builds a row of a repricing: the product gets a price of 6 000 sums. */
export function repricingRow(product_id: number, given: object = {}) {
  return { product_id, sale_price: 6000, sale_currency: 'uzs', ...given };
}

/** Sends a batch of the shop's company. */
export function sendBatch(
  { companyId: company_id, director: token }: Shop,
  products: readonly object[],
  given: object = {},
  headers = {},
): Promise<Reply> {
  return call(`POST ${REPRICINGS}`, { token, json: { company_id, products, ...given }, headers });
}

/** Reprices products, and returns the batch. */
export async function reprice(shop: Shop, products: readonly object[], given: object = {}) {
  const { status, body } = await sendBatch(shop, products, given);
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(200);
  return Batch.parse(body);
}

/** Reads the history of prices, as shown to the shop's director. */
export async function historyOf({ director: token }: Shop, query = '') {
  return (await call(`GET ${REPRICINGS}?${query}`, { token })).body;
}

/** Reads a card, as shown to the shop's director. */
export async function cardOf({ director: token }: Shop, id: number) {
  return (await call(`GET ${PRODUCTS}/${id}`, { token })).body;
}

/** Reads a rate of the shop's company. */
export async function rateOf({ director: token }: Shop, currency: string) {
  const { body } = await call('GET /company/cashbox/currency-rate/settings', { token });
  return Rates.parse(body).rows.find((each) => each.currency === currency)?.rate;
}

/** Puts a product into a sale draft of the shop. */
export async function addToDraft({ stockId, cashboxId, director: token }: Shop, product_id: number) {
  const json = { stock_id: stockId, products: [{ product_id, quantity: 1 }], bundles: [] };
  const path = `/company/trade/cashbox/${cashboxId}/cheque/1`;
  expect((await call(`PUT ${path}`, { token, json })).status).toBe(200);
}
