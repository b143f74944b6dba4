import { ratesOf } from '#lib/cash/company-rates.ts';
import { costWithPercent } from '#lib/catalog/floor.ts';
import { asksForPrice, checkMinimum, type FloorCheck } from '#lib/catalog/product/floors.ts';
import { lastCosts } from './last-cost.ts';

/**
 * Validates that cards whose price or floor changes are priced at `min_price` or above, and at the latest
 * cost plus `min_price_percent` or above, by the rates of the caller's company. Three round trips if a
 * percentage applies to a product that may have been received, else none. Contract 9.108.
 */
export const checkFloors: FloorCheck = async (actor, changes, issues) => {
  const priced = changes.filter(asksForPrice);
  for (const change of priced) checkMinimum(change, issues);
  const marked = priced.filter(({ before, after }) => before && after.min_price_percent !== null);
  if (marked.length === 0) return;
  const [{ rates }, costs] = await Promise.all([
    ratesOf(actor.tenant, actor.companyId),
    lastCosts(
      actor.tenant,
      marked.map(({ after }) => after.id),
    ),
  ]);
  for (const { after, prefix = '' } of marked) {
    const latest = costs.get(after.id);
    const currency = after.sale_currency;
    const least = costWithPercent(after, latest, { currency, rates });
    const path = `${prefix}min_price_percent`;
    if (latest && least === undefined)
      issues.add(path, { key: 'rate.missing', with: { currency: latest.currency } });
    if (least !== undefined && least > after.sale_price)
      issues.add(path, { key: 'product.percent_above_price', with: { min: least / 100 } });
  }
};
