import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { canReach } from '#lib/access/keeper.ts';
import { CompanyRates, keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { products } from '#lib/catalog/card.ts';
import type { SkippedRow } from '#lib/catalog/repricing/record.ts';
import { newMarkup } from '#lib/catalog/repricing/write.ts';
import { companies } from '#lib/people/company/record.ts';
import { isThere, type Stored, vouchRecord } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { noRate } from '#lib/trade/pricing/price.ts';
import { type Cents, type Currency, convertAmount, MOST_AMOUNT } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import type { RepricingInput } from './input.ts';

type Row = RepricingInput['products'][number];

type Card = Stored<typeof products.schema>;

export type Rates = Readonly<Record<Currency, Cents>>;

/** A row with its product's card as it is and as it would be. */
export interface PricedRow {
  readonly row: Row;
  readonly before: Card;
  readonly after: z.input<typeof products.schema>;
  /** Why the minimum price of the card can't be told in the row's currency; undefined if it can. */
  readonly unconverted: Unconverted | undefined;
}

type Unconverted = Extract<SkippedRow['reason'], 'min_price_without_rate' | 'min_price_too_large'>;

/**
 * Reads the rows' cards and the rates of the company: those it has, and those that count in the batch.
 * 422 with all failing fields: a company that is not there or not open to the caller, unknown products,
 * prices in a currency without a rate. One round trip. Decisions, 8. Decisions, 9 (33).
 */
export async function readRows(actor: Staff, input: RepricingInput, at: Instant) {
  const { home } = actor;
  const [company, held, ...items] = await getItems([
    recordKey(companies.type, home, input.company_id),
    keyOfRates(home, input.company_id),
    ...input.products.map(({ product_id }) => recordKey(products.type, home, product_id)),
  ]);
  const problems = new Problems();
  const rates = isThere(company) && canReach(actor, input.company_id) ? ratesIn(held, input) : undefined;
  if (!rates) problems.add('company_id', 'validation.not_found');
  const rows = input.products.flatMap((row, index): PricedRow[] => {
    const path = `products.${index}`;
    const before = items[index] && vouchRecord(products.schema, items[index]);
    if (!before || before.is_deleted) {
      problems.add(`${path}.product_id`, 'validation.not_found');
      return [];
    }
    if (!rates) return [];
    if (rates.counted[row.sale_currency] === 0)
      problems.add(`${path}.sale_currency`, noRate(row.sale_currency));
    const minimum = minimumOf(row, before, rates.counted);
    const unconverted = typeof minimum === 'string' ? minimum : undefined;
    const min_price = typeof minimum === 'string' ? null : minimum;
    return [{ row, before, after: cardAfter(row, before, min_price, at), unconverted }];
  });
  if (!rates || problems.areAny) throw problems.refusal;
  return { rows, ...rates };
}

function ratesIn(item: Item | undefined, { currency_rate }: RepricingInput) {
  const held = vouchRecord(CompanyRates, item);
  const { rates } = ratesFrom(held);
  const counted: Rates = { ...rates, usd: currency_rate ?? rates.usd };
  return { held, counted };
}

/**
 * Finds the minimum price of the card to be, in the row's currency: the row's own, or the one it has. If that
 * can't be converted, why.
 */
function minimumOf(row: Row, before: Card, rates: Rates): Cents | null | Unconverted {
  const currency = row.sale_currency;
  if (row.min_price !== null || before.min_price === null) return row.min_price;
  if (currency === before.sale_currency) return before.min_price;
  const minimum = convertAmount(before.min_price, rates[before.sale_currency], rates[currency]);
  if (minimum === undefined) return 'min_price_without_rate';
  return minimum > MOST_AMOUNT ? 'min_price_too_large' : minimum;
}

function cardAfter(row: Row, before: Card, min_price: Cents | null, at: Instant) {
  const { sale_price, sale_currency, markup_percent } = row;
  return {
    ...before,
    ...newMarkup(sale_price, sale_currency, markup_percent),
    sale_price,
    sale_currency,
    min_price,
    min_price_percent: row.min_price_percent ?? before.min_price_percent,
    updated_at: at,
  };
}
