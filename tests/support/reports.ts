import { expect } from 'vitest';
import * as z from 'zod';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { newCompany, newEmployee } from './family.ts';
import { call } from './http.ts';
import type { Family } from './provisioning.ts';
import { make } from './records.ts';
import { sellFor } from './returns.ts';
import { type Shop, sellOne } from './shop.ts';

const Answer = z.object({
  data: z.array(z.looseObject({ key: z.union([z.string(), z.number()]).nullable() })),
  totals: z.array(z.looseObject({ currency: z.string() })),
});

/** Reads a report: its rows and totals. */
export async function readReport(token: string, path: string) {
  const { status, body } = await call(`GET /company/report/${path}`, { token });
  expect(status).toBe(200);
  return Answer.parse(body);
}

/** Builds a period of the query string: the given number of days, up to today. */
export function lastDays(count: number, at = Date.now()): string {
  const today = dayOf(at);
  return `filter[date][0]=${daysAfter(today, 1 - count)}&filter[date][1]=${today}`;
}

/**
 * Sells one of a product at a shop's desk and two at another, and makes those who reach the second desk alone
 * and a branch without sales.
 */
export async function sellApart(shop: Shop, productId: number, right: string) {
  const [branch, second] = await Promise.all([
    newCompany(shop.companyId),
    make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' }),
  ]);
  await sellOne(shop, productId, 1, 5000);
  await sellOne({ ...shop, cashboxId: second }, productId, 2, 5000);
  const [atDesk, inBranch] = await Promise.all([
    newEmployee(shop, [right], { cashbox_ids: [second] }),
    newEmployee(shop, [right], { company_id: branch }),
  ]);
  return { branch, second, atDesk, inBranch };
}

/** Sets dollars as the currency of a shop's sales, and sells one of a product that costs two. */
export async function sellForDollars(shop: Shop, productId: number): Promise<void> {
  await call('PATCH /company/cashbox/currency-rate/settings', {
    token: shop.director,
    json: { sale_currency: 'usd' },
  });
  await sellFor(shop, {
    currency: 'usd',
    products: [{ product_id: productId, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 2 }],
  });
}

/** Updates the rollups of a family's sales and returns, however few. */
export async function updateReportRollups(
  { companyId }: Pick<Family, 'companyId'>,
  at = Date.now(),
): Promise<void> {
  for (const kind of ALL_ROLLUPS) await updateRollups({ ...kind, worth: 1 }, familyTenant(companyId), at);
}
