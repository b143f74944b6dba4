import type { ServiceCard } from '#lib/catalog/service/service.ts';
import { convertAmount, MAX_AMOUNT, type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { amountOf, ONE, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkDiscount } from './lines.ts';
import {
  collectPriceIssues,
  ifForSale,
  missingRateMessage,
  type Offers,
  type Pricing,
  requireNamed,
  unlessAccepted,
  type WithBodyPath,
} from './price.ts';

/** Service in a body; without a price it has its own. */
export interface RequestedService {
  readonly service_id: number;
  readonly quantity: Units;
  readonly price?: MinorUnits | undefined;
  readonly discount: MinorUnits;
}

/** Line of a service. */
export interface PricedService {
  readonly service_id: number;
  readonly quantity: Units;
  readonly price: MinorUnits;
  readonly discount: MinorUnits;
  readonly amount: MinorUnits;
  readonly cost: MinorUnits;
  readonly vat_percent: MinorUnits | null;
  readonly quantityPath: string;
}

/**
 * Prices the services of a body; one may stand in several lines. Missing services and invalid prices and
 * discounts go to `issues`. Part 5, 5A.1, 2.
 */
export function priceServices(
  requested: readonly RequestedService[],
  offers: Offers,
  issues: ValidationIssues,
): PricedService[] {
  return requested.flatMap((each, index) => {
    const path = `services.${index}`;
    const service = ifForSale(offers.services.get(each.service_id));
    if (!service) issues.add(`${path}.service_id`, 'validation.not_found');
    return service ? [serviceLine(service, { ...each, path }, offers, issues)] : [];
  });
}

function serviceLine(
  service: ServiceCard,
  requested: WithBodyPath<RequestedService>,
  { pricing, vatPercent }: Pick<Offers, 'pricing' | 'vatPercent'>,
  issues: ValidationIssues,
): PricedService {
  const { path, service_id, quantity, discount } = requested;
  const wrong = collectPriceIssues(issues);
  const { own, cost } = termsOf(service, requested, pricing, wrong);
  const price = requested.price ?? own;
  const whole = amountOf(price, quantity);
  if (whole > MAX_AMOUNT) issues.add(`${path}.quantity`, 'sale.amount_too_large');
  if (price !== own && !service.is_free_price)
    unlessAccepted(pricing, wrong.unless(`${path}.price`)).add(`${path}.price`, 'sale.price_fixed');
  requireNamed(requested, pricing, issues);
  const amount = Math.max(0, whole - discount);
  const line = { price, discount, amount, sold_quantity: quantity };
  checkDiscount(line, { path, least: 0, pricing }, issues);
  const vat_percent = service.vat_percent ?? vatPercent;
  const quantityPath = `${path}.quantity`;
  return { service_id, quantity, price, discount, amount, cost, vat_percent, quantityPath };
}

/**
 * Converts the price of one unit of a service and the cost of all, each rounded once; a service without a
 * cost costs nothing. A currency without a rate goes to `issues`. Part 5, 5A.1, 3.
 */
function termsOf(
  { price, cost, currency: priced = 'uzs' }: ServiceCard,
  { path, quantity }: WithBodyPath<Pick<RequestedService, 'quantity'>>,
  { currency, rates }: Pricing,
  issues: ValidationIssues,
) {
  const own = convertAmount(price, rates[priced], rates[currency]);
  if (own === undefined) issues.add(`${path}.price`, missingRateMessage(priced));
  if (own === undefined || !cost) return { own: own ?? price, cost: 0 };
  const worth = BigInt(cost) * BigInt(quantity) * BigInt(rates[priced]);
  return { own, cost: Number(roundHalfUp(worth, BigInt(rates[currency]) * BigInt(ONE))) };
}
