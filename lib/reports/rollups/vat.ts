import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { DEFAULT_UPDATE_SIZE, type Fact, type RollupKind } from '#lib/table/rollups/kind.ts';
import { readReturnsAt, SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { VatTuple } from '#lib/values/vat.ts';
import { inSteps } from './goods.ts';
import { ReturnedHeader, SoldHeader } from './headers.ts';

const SoldVat = SoldHeader.extend({ sold_amount: z.int(), vat: z.array(VatTuple).default([]) });
const ReturnedVat = ReturnedHeader.extend({ sale_id: z.int(), amount: z.int() });

const KIND = { edition: 1, numbers: 4, sums: 2, ...DEFAULT_UPDATE_SIZE, max: 1000 } as const;

/**
 * Sold amounts and the VAT within them by desk and month: for each day, currency, company and rate. Part 5,
 * 5A.2, 5.
 */
export const soldVatRollups: RollupKind = {
  ...KIND,
  name: 'sold-vat',
  source: 'sale',
  only: Object.keys(SoldVat.shape),
  factsOf: (_, headers) => Promise.resolve(headers.flatMap(factsOfSale)),
};

/** Returned amounts in the same form. An exchange counts at the desk of its new sale. */
export const returnedVatRollups: RollupKind = {
  ...KIND,
  name: 'returned-vat',
  source: SALE_RETURN,
  only: Object.keys(ReturnedVat.shape),
  factsOf: (tenant, headers) => inSteps(headers, (step) => factsOfReturns(tenant, step)),
};

/** Returns the rate of a cell, in hundredths of a percent; null without one. */
export function vatRateOf(cell: number): MinorUnits | null {
  return cell === 0 ? null : cell - 1;
}

function factsOfSale(header: Item): Fact[] {
  const { sold_at, sold_amount, ...sale } = SoldVat.parse(header);
  return factsOf(sale, sold_amount, sold_at);
}

async function factsOfReturns(tenant: Tenant, headers: readonly Item[]): Promise<Fact[]> {
  const returns = headers.map((header) => ReturnedVat.parse(header));
  const found = await readReturnsAt(
    tenant,
    returns.map((each) => ({ ...each, packs: 1 })),
  );
  return returns.flatMap(({ created_at, amount, ...made }, index) =>
    factsOf({ ...made, vat: found[index]?.vat ?? [] }, amount, created_at),
  );
}

function factsOf(
  { id, cashbox_id, company_id, currency, vat }: Omit<z.output<typeof SoldVat>, 'sold_at' | 'sold_amount'>,
  amount: MinorUnits,
  at: Instant,
): Fact[] {
  const day = dayOf(at);
  // Documents that predate rates have none.
  const totals: readonly VatTuple[] = vat.length > 0 ? vat : [[null, amount, 0]];
  const place = { id, group: String(cashbox_id), period: day.slice(0, 7) };
  const own = [Number(day.slice(8)), Currency.options.indexOf(currency), company_id];
  return totals.map(([percent, ...sums]) => {
    const rate = percent === null ? 0 : percent + 1;
    return { ...place, of: [...own, rate], sums };
  });
}
