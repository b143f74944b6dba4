import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import type { RecordType } from '#lib/records/record.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { parseRecord, recordFields, type Stored } from '#lib/records/stored.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { familyTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { byCurrency, Currency, type MinorUnits, Money, type Rates } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { asCorrection } from '#lib/values/value-history.ts';
import { recordRates } from './rate-history.ts';

/** Value of one unit of a currency in sums. Part 3, "Currency rate". */
export const CurrencyRate = z.object({
  id: z.int(),
  company_id: z.int(),
  currency: Currency,
  rate: Money,
  is_sale: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const HeldRate = CurrencyRate.pick({ id: true, rate: true, created_at: true, updated_at: true });

/** All rates of a company in one item with the company's id, so that a sale reads them by one key. */
export const CompanyRates = z.object({
  ...recordFields,
  sale_currency: Currency,
  rates: z.record(Currency, HeldRate),
  /** Time of the latest rate change; null before the first. */
  last_updated_at: Timestamp.nullable(),
});

type CompanyRates = Stored<typeof CompanyRates>;

/** Record type of companies' rates. */
export const companyRates: RecordType<typeof CompanyRates> = {
  type: 'company-rates',
  copied: 'cashbox.currency-rate',
  schema: CompanyRates,
  keeps: recordRates,
};

/** Initial rates of a new main company, until current ones are entered. */
const FIRST: Rates = {
  uzs: 100,
  usd: 12_650_00,
  eur: 13_700_00,
  rub: 135_00,
};

const RATE = 'currency-rate';
const HISTORY = 'currency-rate-history';

/**
 * Returns the key of a company's rates, for a read with other items in the same round trip; `ratesFrom`
 * parses the item.
 */
export function keyOfRates(tenant: Tenant, companyId: number) {
  return recordKey(companyRates.type, tenant, companyId);
}

/** Parses a company's sale currency and rates from the item at `keyOfRates`. */
export function ratesFrom(item: unknown) {
  const held = parseRecord(CompanyRates, item);
  const rates = byCurrency((currency) => held.rates[currency].rate);
  return { saleCurrency: held.sale_currency, rates, held };
}

/** Reads a company's sale currency and rates. One round trip. */
export async function ratesOf(tenant: Tenant, companyId: number) {
  return ratesFrom(await getItem(keyOfRates(tenant, companyId)));
}

/**
 * Builds the writes of a new company's four rates; a branch copies those of its main company. Contract 7,
 * "Company, branch".
 */
export async function firstRates(
  { id, parent_id }: { readonly id: number; readonly parent_id: number | null },
  at: Instant,
): Promise<Write[]> {
  const tenant = familyTenant(parent_id ?? id);
  const [firstId, rates] = await Promise.all([
    nextId(RATE, tenant, Currency.options.length),
    parent_id === null ? FIRST : ratesOf(tenant, parent_id).then((main) => main.rates),
  ]);
  return insertion(companyRates, tenant, {
    id,
    sale_currency: 'uzs',
    rates: byCurrency((currency, index) => ({
      id: firstId + index,
      rate: rates[currency],
      created_at: at,
      updated_at: at,
    })),
    last_updated_at: null,
    created_at: at,
    updated_at: at,
    is_deleted: false,
  });
}

/**
 * Time of a rate change, and whether it corrects an error, so that the replaced rates never applied. Part 4,
 * 4.4, 3.
 */
interface RateOccasion {
  readonly at: Instant;
  readonly isCorrection?: boolean;
}

/** Builds the writes that change a company's rates, each with a history entry; none if nothing changes. */
export async function rateWrites(
  actor: Staff,
  before: CompanyRates,
  newRates: Partial<Record<Currency, MinorUnits>>,
  { at, isCorrection }: RateOccasion,
): Promise<Write[]> {
  const rates = byCurrency((currency) => {
    const held = before.rates[currency];
    const rate = newRates[currency] ?? held.rate;
    return rate === held.rate ? held : { ...held, rate, updated_at: at };
  });
  const changed = Currency.options.filter((currency) => rates[currency] !== before.rates[currency]);
  if (changed.length === 0) return [];
  const firstId = await nextId(HISTORY, actor.tenant, changed.length);
  const after = asCorrection({ ...before, rates, last_updated_at: at, updated_at: at }, isCorrection);
  return [
    ...replacement(companyRates, actor.tenant, before, after),
    ...changed.map((currency, index) =>
      putNew(recordKey(HISTORY, actor.tenant, firstId + index), {
        id: firstId + index,
        company_id: before.id,
        currency,
        previous_rate: before.rates[currency].rate,
        rate: rates[currency].rate,
        ...makerOf(actor),
        created_at: at,
      }),
    ),
  ];
}

/** Returns a company's rates in their published form. */
export function rowsOf({ id: company_id, sale_currency, rates }: CompanyRates) {
  return Currency.options.map((currency) => ({
    ...rates[currency],
    company_id,
    currency,
    is_sale: currency === sale_currency,
  }));
}
