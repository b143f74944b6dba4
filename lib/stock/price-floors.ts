import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { costWithPercent, floorOf, isFloorByCost, type LatestCost } from '#lib/catalog/floor.ts';
import { isPriceTypeLive, readPriceTypes } from '#lib/catalog/price-type.ts';
import {
  asksForPrice,
  type BoundedChange,
  checkMinimum,
  type FloorCheck,
  typePricesAsked,
} from '#lib/catalog/product/floors.ts';
import { typePriceOf } from '#lib/catalog/type-prices.ts';
import { REVEALING } from '#lib/values/message.ts';
import type { Rates } from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { lastCosts } from './last-cost.ts';

/** Facts that floors are computed from. */
interface FloorFacts {
  readonly rates: Rates;
  readonly costs: ReadonlyMap<number, LatestCost>;
}

/**
 * Validates that cards whose prices or floor change are priced at `min_price` or above, and at the latest
 * cost plus `min_price_percent` or above, by the rates of the caller's company; and that new prices by type
 * are of the family's types. Three round trips if a percentage applies to a product that may have been
 * received, one if a price by type has a floor or a new type, else none. Contract 9.108; Part 5, 5A.14, 2.
 */
export const checkFloors: FloorCheck = async (actor, changes, issues) => {
  const priced = changes.filter(asksForPrice);
  for (const change of priced) checkMinimum(change, issues);
  const typed = changes.filter((change) => hasFloor(change) && typePricesAsked(change).length > 0);
  const [facts] = await Promise.all([
    readFloorFacts(actor, [...priced.filter(hasCostFloor), ...typed]),
    checkPriceTypes(actor, changes, issues),
  ]);
  if (!facts) return;
  for (const change of priced.filter(hasCostFloor)) checkPercent(change, facts, issues);
  for (const change of typed) checkTypePrices(change, facts, issues);
};

function hasCostFloor({ before, after }: BoundedChange): boolean {
  return before !== undefined && after.min_price_percent !== null;
}

function hasFloor(change: BoundedChange): boolean {
  return change.after.min_price !== null || hasCostFloor(change);
}

async function readFloorFacts(
  actor: Staff,
  changes: readonly BoundedChange[],
): Promise<FloorFacts | undefined> {
  if (changes.length === 0) return undefined;
  const ids = new Set(changes.filter(hasCostFloor).map(({ after }) => after.id));
  const [{ rates }, costs] = await Promise.all([
    ratesOf(actor.tenant, actor.companyId),
    lastCosts(actor.tenant, [...ids]),
  ]);
  return { rates, costs };
}

/** Validates that a card is not priced below its latest cost plus the percentage. */
function checkPercent(
  { after, prefix = '' }: BoundedChange,
  { rates, costs }: FloorFacts,
  issues: ValidationIssues,
): void {
  const latest = costs.get(after.id);
  const least = costWithPercent(after, latest, { currency: after.sale_currency, rates });
  const path = `${prefix}min_price_percent`;
  if (latest && least === undefined)
    issues.add(path, { key: 'rate.missing', with: { currency: latest.currency } });
  if (least !== undefined && least > after.sale_price)
    issues.add(path, { key: 'product.percent_above_price', with: { min: least / 100, ...REVEALING } });
}

/** Validates that a card's prices by type are not below its floor, in their own currencies. */
function checkTypePrices(
  change: BoundedChange,
  { rates, costs }: FloorFacts,
  issues: ValidationIssues,
): void {
  const { after, prefix = '' } = change;
  const latest = costs.get(after.id);
  for (const { index, price, currency } of typePricesAsked(change)) {
    const least = floorOf(after, latest, { currency, rates });
    const path = `${prefix}prices.${index}.price`;
    if (least === undefined) {
      const missing = [currency, after.sale_currency].find((each) => rates[each] === 0);
      issues.add(path, {
        key: 'rate.missing',
        with: { currency: missing ?? latest?.currency ?? currency },
      });
    } else if (price < least) {
      const isByCost = isFloorByCost(after, latest, { currency, rates });
      const values = { min: least / 100, ...(isByCost && REVEALING) };
      issues.add(path, { key: 'sale.price_too_low', with: values });
    }
  }
}

/**
 * Validates that the types of new prices exist; a card keeps its price of a type that was deleted since. A
 * type deleted at the same time counts as none, so no condition is needed. One round trip if there are any.
 */
async function checkPriceTypes(
  { tenant }: Staff,
  changes: readonly BoundedChange[],
  issues: ValidationIssues,
): Promise<void> {
  const added = changes.flatMap(({ before, after, prefix = '' }) =>
    (after.prices ?? []).flatMap(({ price_type_id: id }, index) =>
      typePriceOf(before ?? {}, id) ? [] : [{ id, path: `${prefix}prices.${index}.price_type_id` }],
    ),
  );
  if (added.length === 0) return;
  const types = await readPriceTypes(tenant);
  for (const { id, path } of added) {
    if (!isPriceTypeLive(types, id)) issues.add(path, 'validation.not_found');
  }
}
