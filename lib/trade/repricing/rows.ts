import { canReach } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { CompanyRates, keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { barcodeClaim } from '#lib/catalog/barcodes.ts';
import { products } from '#lib/catalog/card.ts';
import { isPriceTypeLive, type PriceTypes, readPriceTypes } from '#lib/catalog/price-type.ts';
import { externalIdConstraint } from '#lib/records/external-id.ts';
import { isPresent, parseRecord } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import { missingRateMessage } from '#lib/trade/pricing/price.ts';
import type { Rates } from '#lib/values/money.ts';
import { dayOf, type Instant, monthsAfter, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { fieldsNaming, type RepricingInput } from './input.ts';
import { applyRows, type NamedRow, type NumberedRow, type SentRow } from './split.ts';

const MINUTE_MS = 60_000;

/**
 * Reads the rows' cards and the company's rates: the stored ones, and those applied to the batch. 422 with
 * all failing fields: on a company that is unknown or not open to the caller, on products that are unknown or
 * duplicate, on price types that are unknown, on prices in a currency without a rate. One round trip, two if
 * rows have barcodes or external ids. Contract 8. Contract 9.33. Part 4, 4.3. Part 5, 5A.14, 2.
 */
export async function readRows(
  actor: Pick<Staff, 'tenant' | 'companies'>,
  input: RepricingInput,
  at: Instant,
) {
  const { tenant } = actor;
  const rowsWithIds = await withIds(tenant, input.products);
  const [[company, held, ...items], types] = await Promise.all([
    getItems([
      recordKey('company', tenant, input.company_id),
      keyOfRates(tenant, input.company_id),
      ...rowsWithIds.map(({ product_id }) => recordKey(products.type, tenant, product_id)),
    ]),
    typesOf(tenant, input),
  ]);
  const issues = issuesOfStart(input, at);
  const rates = isPresent(company) && canReach(actor, input.company_id) ? ratesIn(held, input) : undefined;
  if (!rates) issues.add('company_id', 'validation.not_found');
  const seen = new Set<string>();
  const rows = rowsWithIds.flatMap((row, index): SentRow[] => {
    const path = `products.${index}`;
    const [name = 'product_id'] = fieldsNaming(input.products[index] ?? {});
    checkType(row, { path, types, issues });
    if (isRepeated(row, seen)) issues.add(`${path}.${name}`, 'validation.duplicate');
    const before = items[index] && parseRecord(products.schema, items[index]);
    if (!before || before.is_deleted) {
      issues.add(`${path}.${name}`, 'validation.not_found');
      return [];
    }
    if (!rates) return [];
    if (rates.counted[row.sale_currency] === 0)
      issues.add(`${path}.sale_currency`, missingRateMessage(row.sale_currency));
    return [{ row, before }];
  });
  if (!rates || issues.areAny) throw issues.refusal;
  const terms = { rates: rates.counted, types, at };
  return { rows: applyRows(rows, terms), held: rates.held, terms };
}

/** Returns whether an earlier row sets the same price of the same product. */
function isRepeated({ product_id, price_type_id = null }: NumberedRow, seen: Set<string>): boolean {
  const place = `${product_id} ${price_type_id}`;
  const isSeen = seen.has(place);
  seen.add(place);
  return isSeen && product_id > 0;
}

/** Validates that the price type of a row exists. Part 5, 5A.14, 2. */
function checkType(
  { price_type_id: id = null }: NumberedRow,
  { path, types, issues }: { path: string; types: PriceTypes; issues: ValidationIssues },
): void {
  if (id !== null && !isPriceTypeLive(types, id)) issues.add(`${path}.price_type_id`, 'validation.not_found');
}

/** Reads the price types; none if no row sets a price by one. */
async function typesOf(tenant: Tenant, { products: rows }: RepricingInput): Promise<PriceTypes> {
  return rows.some(({ price_type_id = null }) => price_type_id !== null) ? readPriceTypes(tenant) : new Map();
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
async function withIds(tenant: Tenant, rows: readonly NamedRow[]): Promise<NumberedRow[]> {
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
