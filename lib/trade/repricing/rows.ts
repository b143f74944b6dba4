import type * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { CompanyRates, keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { barcodeClaim } from '#lib/catalog/barcodes.ts';
import { products } from '#lib/catalog/card.ts';
import { costWithPercent } from '#lib/catalog/floor.ts';
import type { SkippedRow } from '#lib/catalog/repricing/record.ts';
import { newMarkup } from '#lib/catalog/repricing/write.ts';
import { externalIdConstraint } from '#lib/records/external-id.ts';
import { isPresent, parseRecord, type Stored } from '#lib/records/stored.ts';
import type { BatchOrigin } from '#lib/stock/batch-part.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import { missingRateMessage } from '#lib/trade/pricing/price.ts';
import { convertAmount, MAX_AMOUNT, type MinorUnits, type Rates } from '#lib/values/money.ts';
import { dayOf, type Instant, monthsAfter, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { fieldsNaming, type RepricingInput } from './input.ts';

const MINUTE_MS = 60_000;

type NamedRow = RepricingInput['products'][number];

/** Row with its product's id; 0 if unknown. */
type Row = Omit<NamedRow, 'product_id'> & { readonly product_id: number };

type Card = Stored<typeof products.schema>;

/** Row with its product's card before and after the change. */
export interface PricedRow {
  readonly row: Row;
  readonly before: Card;
  readonly after: z.input<typeof products.schema>;
  readonly unconverted: Minimum['unconverted'];
}

/** Minimum price of a card in its row's currency, or the reason why it cannot be converted. */
interface Minimum {
  readonly min_price?: MinorUnits | null;
  readonly unconverted?: 'min_price_without_rate' | 'min_price_too_large' | undefined;
}

/**
 * Reads the rows' cards and the company's rates: the stored ones, and those applied to the batch. 422 with
 * all failing fields: on a company that is unknown or not open to the caller, on products that are unknown or
 * duplicate, on prices in a currency without a rate. One round trip, two if rows have barcodes or external
 * ids. Contract 8. Contract 9.33. Part 4, 4.3.
 */
export async function readRows(
  actor: Pick<Staff, 'tenant' | 'companies'>,
  input: RepricingInput,
  at: Instant,
) {
  const { tenant } = actor;
  const rowsWithIds = await withIds(tenant, input.products);
  const [company, held, ...items] = await getItems([
    recordKey('company', tenant, input.company_id),
    keyOfRates(tenant, input.company_id),
    ...rowsWithIds.map(({ product_id }) => recordKey(products.type, tenant, product_id)),
  ]);
  const issues = issuesOfStart(input, at);
  const rates = isPresent(company) && canReach(actor, input.company_id) ? ratesIn(held, input) : undefined;
  if (!rates) issues.add('company_id', 'validation.not_found');
  const seen = new Set<number>();
  const rows = rowsWithIds.flatMap((row, index): PricedRow[] => {
    const path = `products.${index}`;
    const [name = 'product_id'] = fieldsNaming(input.products[index] ?? {});
    if (row.product_id > 0 && seen.has(row.product_id)) issues.add(`${path}.${name}`, 'validation.duplicate');
    seen.add(row.product_id);
    const before = items[index] && parseRecord(products.schema, items[index]);
    if (!before || before.is_deleted) {
      issues.add(`${path}.${name}`, 'validation.not_found');
      return [];
    }
    if (!rates) return [];
    if (rates.counted[row.sale_currency] === 0)
      issues.add(`${path}.sale_currency`, missingRateMessage(row.sale_currency));
    const { min_price = null, unconverted } = minimumOf(row, before, rates.counted);
    return [{ row, before, after: cardAfter(row, before, min_price, at), unconverted }];
  });
  if (!rates || issues.areAny) throw issues.refusal;
  return { rows, ...rates };
}

/** Checks the time of a planned batch: a whole minute within a year, and no rate. Part 5, 5A.14, 3. */
function issuesOfStart({ starts_at, currency_rate }: RepricingInput, at: Instant): ValidationIssues {
  const issues = new ValidationIssues();
  if (starts_at === null) return issues;
  const isInYear =
    starts_at > at && starts_at <= startOfDay(monthsAfter(dayOf(at), 12)) + (at - startOfDay(dayOf(at)));
  if (!isInYear || starts_at % MINUTE_MS !== 0) issues.add('starts_at', 'repricing.wrong_start');
  if (currency_rate !== null) issues.add('currency_rate', 'repricing.rate_planned');
  return issues;
}

/** Resolves the ids of rows with a barcode or an external id. No round trip if there are none. */
async function withIds(tenant: Tenant, rows: readonly NamedRow[]): Promise<Row[]> {
  const claims = rows.map(({ barcode, external_id }) => {
    if (isText(external_id))
      return uniqueConstraintKey(products.type, externalIdConstraint(external_id, tenant));
    return isText(barcode) ? uniqueConstraintKey(products.type, barcodeClaim(barcode, tenant)) : undefined;
  });
  const ids = claims.every((claim) => claim === undefined) ? [] : (await getItems(claims)).map(ownerIn);
  return rows.map((row, index) => ({ ...row, product_id: row.product_id ?? ids[index] ?? 0 }));
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string';
}

function ratesIn(item: Item | undefined, { currency_rate }: RepricingInput) {
  const held = parseRecord(CompanyRates, item);
  const { rates } = ratesFrom(held);
  const counted: Rates = { ...rates, usd: currency_rate ?? rates.usd };
  return { held, counted };
}

/**
 * Computes the card's new minimum price in the row's currency: the row's own, or the present one converted.
 * If that is impossible, returns the reason.
 */
function minimumOf(row: Row, before: Card, rates: Rates): Minimum {
  const currency = row.sale_currency;
  if (row.min_price !== null || before.min_price === null) return { min_price: row.min_price };
  if (currency === before.sale_currency) return { min_price: before.min_price };
  const minimum = convertAmount(before.min_price, rates[before.sale_currency], rates[currency]);
  if (minimum === undefined) return { unconverted: 'min_price_without_rate' };
  return minimum > MAX_AMOUNT ? { unconverted: 'min_price_too_large' } : { min_price: minimum };
}

function cardAfter(row: Row, before: Card, min_price: MinorUnits | null, at: Instant) {
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

/** Basis for deciding whether a row can be repriced. */
interface Obstacles {
  readonly inDrafts: ReadonlySet<number>;
  readonly costs: ReadonlyMap<number, BatchOrigin>;
  readonly rates: Rates;
}

/**
 * Returns the reason why a row cannot be repriced; undefined if it can. Contract 9.33; Contract 9.90;
 * Contract 9.108. Minimum price and percentage are those of the resulting card: the row's own, or else the
 * card's. The price is compared with the minimum and with the latest cost plus the percentage, the minimum
 * with the latest cost itself, in the row's currency, by the rates of the batch. Goods never received have no
 * cost, and a card with neither limit passes.
 */
function skipReasonOf(
  { after, unconverted }: PricedRow,
  { inDrafts, costs, rates }: Obstacles,
): SkippedRow | undefined {
  const { id: product_id, sale_currency, min_price } = after;
  const isUnderMinimum = min_price !== null && after.sale_price < min_price;
  const ofRow = unconverted ?? (isUnderMinimum ? 'below_min_price' : undefined);
  const reason = inDrafts.has(product_id) ? 'in_active_sale' : ofRow;
  if (reason) return { product_id, reason, cost: null, cost_currency: null };
  const last = costs.get(product_id);
  if (!last || (min_price === null && after.min_price_percent === null)) return undefined;
  const quote = { currency: sale_currency, rates };
  const floor = costWithPercent(after, last, quote);
  const cost = convertAmount(last.cost, rates[last.currency], rates[sale_currency]);
  if (cost === undefined || floor === undefined) {
    return { product_id, reason: 'cost_without_rate', cost: last.cost, cost_currency: last.currency };
  }
  if (after.sale_price < floor)
    return { product_id, reason: 'below_min_price', cost: null, cost_currency: null };
  if (min_price === null || min_price >= cost) return undefined;
  return { product_id, reason: 'min_price_below_cost', cost, cost_currency: sale_currency };
}

/** Splits rows into passed and skipped ones, the latter with reasons. */
export function splitRows(rows: readonly PricedRow[], obstacles: Obstacles) {
  const checked = rows.map((row) => ({ row, skipped: skipReasonOf(row, obstacles) }));
  return {
    passed: checked.filter(({ skipped }) => skipped === undefined).map(({ row }) => row),
    skipped: checked.flatMap(({ skipped }) => skipped ?? []),
  };
}
