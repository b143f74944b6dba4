import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { bundleSpans } from '#lib/catalog/bundle.ts';
import { cardSpans } from '#lib/catalog/price.ts';
import { serviceSpans } from '#lib/catalog/service/service.ts';
import { saleSettingsOf } from '#lib/people/company/sale-settings.ts';
import { completePricing } from '#lib/trade/pricing/cheque-discount.ts';
import { pricesHeldFor } from '#lib/trade/pricing/held-prices.ts';
import { findMoment, MAX_AHEAD_MS, type Moment, type Past } from '#lib/trade/pricing/moment.ts';
import type { Offers } from '#lib/trade/pricing/price.ts';
import { checkPriceType } from '#lib/trade/pricing/price-type.ts';
import { checkTotal } from '#lib/trade/sale/decide-payments.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { paymentsOf, settlePayments } from '#lib/trade/sale/payments.ts';
import { otherCurrency, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { isOffline } from '#lib/trade/sale/write.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { dayOf, daysBetween, type Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { priceGoods, type RedeemedHold } from './redeem-hold.ts';

const DAY_MS = 86_400_000;

/** Oldest sale that is accepted. Part 4, 4.4, 2. */
const MAX_LATE_MS = 31 * DAY_MS;

const BE_LATE = 'company.trade.sale.late';

/** Circumstances in which an offline sale arrives. */
interface Arriving {
  readonly at: Instant;
  /** First arrival of a refused sale. */
  readonly arrived_at?: Instant | undefined;
  /** Set if a user retries a refused sale: that needs no right to sell offline. */
  readonly isRetry?: true | undefined;
  /** Set if it is made as of now: then neither its age nor closed books matter. */
  readonly isAsOfNow?: boolean | undefined;
}

/**
 * Validates the time of an offline sale against its first arrival: neither too long ago, nor in the future,
 * nor on a day whose books are closed; and that the till's copy is not newer. Part 4, 4.4, 2; Part 4, 4.4, 3.
 */
export function checkSoldAt(
  actor: Staff,
  { sold_at, known_at }: Pick<SaleInput, 'sold_at' | 'known_at'>,
  { at, arrived_at = at, isRetry, isAsOfNow }: Arriving,
  issues: ValidationIssues,
): void {
  if (known_at !== null && sold_at === null) issues.add('known_at', 'sale.known_not_late');
  if (sold_at === null) return;
  if (known_at !== null && (known_at > sold_at || known_at < arrived_at - MAX_LATE_MS)) {
    issues.add('known_at', 'sale.known_at');
  }
  if (isAsOfNow) return;
  const { late_sale_days, books_closed_on } = saleSettingsOf({ sale_settings: actor.saleSettings });
  const oldest = arrived_at - MAX_LATE_MS;
  const daysOffline = daysBetween(dayOf(sold_at), dayOf(arrived_at));
  if (sold_at < oldest || sold_at > at + MAX_AHEAD_MS || daysOffline > late_sale_days) {
    issues.add('sold_at', 'sale.sold_at');
  }
  if (books_closed_on !== null && dayOf(sold_at) <= books_closed_on) {
    issues.add('sold_at', 'sale.books_closed');
  }
  if (!isRetry && isOffline(sold_at, arrived_at) && !hasRight(actor, BE_LATE)) {
    issues.add('sold_at', { key: 'sale.late_forbidden', with: { right: BE_LATE } });
  }
}

/** Facts and times that the offers of a sale depend on. */
interface Circumstances {
  readonly basis: SaleContext;
  readonly redeemed: RedeemedHold | undefined;
  /** Time of an offline sale. */
  readonly offlineSince: Instant | null;
  readonly at: Instant;
  readonly areAccepted: boolean;
}

/**
 * Returns cards, bundles and prices for a sale: the current ones, or for an offline sale those of the one
 * moment that is found for it. Expired history, and a sale currency other than the moment's, go to `issues`.
 * Part 4, 4.4, 3.
 */
export function offersFor(
  sale: SaleInput,
  { basis, redeemed, offlineSince, at, areAccepted }: Circumstances,
  issues: ValidationIssues,
): Offers & Partial<Pick<Moment, 'second'>> {
  const promised = redeemed && pricesHeldFor(redeemed.lines);
  const { products, bundles, services, vatPercent } = basis;
  const pricing = { ...basis.pricing, areAccepted, ...(promised && { promised }) };
  const now = { products, bundles, services, vatPercent, pricing };
  if (offlineSince === null) return now;
  const check = (part: SaleInput, moment: Moment, wrong: ValidationIssues) => {
    checkAsOf(moment, part, redeemed, wrong);
  };
  const moment = findMoment(sale, pastOf(basis), { sold_at: offlineSince, at, pricing, check });
  // Both depend on the desk, whose company they belong to.
  const wrong = issues.unless('cashbox_id');
  if (moment) checkCurrency(sale, moment, wrong);
  else if (!areAccepted) wrong.add('sold_at', 'sale.sold_at');
  return moment ?? now;
}

function pastOf({ products, bundles, services, rates, vat, priceTypes }: SaleContext): Past {
  return {
    products: new Map([...products].map(([id, card]) => [id, cardSpans(card)])),
    bundles: new Map([...bundles].map(([id, bundle]) => [id, bundleSpans(bundle)])),
    services: new Map([...services].map(([id, service]) => [id, serviceSpans(service)])),
    ...{ rates, vat, priceTypes },
  };
}

/** Validates a sale as of a moment: its price type, prices, tracking codes, currency and foreign cash. */
function checkAsOf(
  moment: Moment,
  sale: SaleInput,
  redeemed: RedeemedHold | undefined,
  issues: ValidationIssues,
): void {
  checkCurrency(sale, moment, issues);
  checkPriceType(moment.pricing, issues);
  const goods = priceGoods(sale, redeemed, moment, issues);
  const sold = completePricing(goods, sale, moment, issues);
  const lines = [...sold.goods, ...sold.services];
  validateTrackingCodes(sale, goods, moment.products, issues);
  const isForeign = sale.transactions.some(({ currency }) => currency !== null && currency !== sale.currency);
  if (!isForeign) return;
  checkTotal(settlePayments(paymentsOf(sale), lines, moment.pricing, issues), lines, issues);
}

/** Validates that a sale is in the sale currency of its moment; a hold keeps its own. Contract 9.115. */
function checkCurrency(
  { currency, hold_id }: Pick<SaleInput, 'currency' | 'hold_id'>,
  { saleCurrency }: Moment,
  issues: ValidationIssues,
): void {
  if (hold_id === null && currency !== saleCurrency) issues.add('currency', otherCurrency(saleCurrency));
}
