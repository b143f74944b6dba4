import { hasRight, type Maker, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { type DeskState, deskIn, deskKeys, requireShift, takesPayments } from '#lib/cash/desk/read.ts';
import { type RateSet, rateSpans } from '#lib/cash/rate-history.ts';
import { bonusTermsOf } from '#lib/clients/bonus-terms.ts';
import type { BonusTerms } from '#lib/clients/bonuses.ts';
import * as clients from '#lib/clients/client.ts';
import { type ClientBalances, clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import type { DebtLimits } from '#lib/clients/debt-limits.ts';
import { limitSpans, NAME_PRICE_TYPE } from '#lib/clients/terms.ts';
import { keyOfCompanyVat, vatSpans } from '#lib/people/company/vat.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import { lastCosts } from '#lib/stock/last-cost.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { type Key, keyIfAny, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { bundlesIn } from '#lib/trade/pricing/bundle.ts';
import { type Pricing, productsBargainedFor, type SalePriceType } from '#lib/trade/pricing/price.ts';
import {
  isPriceTypeKnown,
  presentPriceType,
  priceTypeSpans,
  priceTypesFor,
  readTypesFor,
} from '#lib/trade/pricing/price-type.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Span } from '#lib/values/value-history.ts';
import { type Cart, type RequestedGoods, readCart } from './cart.ts';
import type { SaleInput } from './input.ts';
import type { Sale } from './record.ts';

/** References of a body that a sale depends on. */
type Named = RequestedGoods &
  Pick<SaleInput, 'cashbox_id' | 'client_id'> & {
    readonly currency?: Currency | undefined;
    readonly price_type_id?: number | null;
    /**
     * Currency of the sale or hold that this belongs to; else the company's sale currency. Contract 9.115.
     */
    readonly ownCurrency?: Currency | undefined;
    /** Payments, if the body has any. */
    readonly transactions?: readonly { readonly payment_type: string }[];
    /** False if no money moves: then the desk needs no open shift. Contract 9.7. */
    readonly movesMoney?: boolean;
    /** Path of issues with the warehouse: the desk's if the body names no warehouse. */
    readonly stockPath?: string;
  };

/** Desk, warehouse, client and rates of a sale. */
interface Places {
  /** References that exist and are open to the caller, for `checkContext`. */
  readonly found: Found;
  /** The sale currency of the desk's company. */
  readonly saleCurrency: Currency;
  readonly desk: DeskState;
  readonly warehouse: Destination;
  /** Balances of the client; undefined without one. */
  readonly clientSums: ClientBalances | undefined;
  /** Bonus terms of the client; undefined without a bonus tariff. */
  readonly bonusTerms: BonusTerms | undefined;
  readonly pricing: Pricing;
  /** VAT rate of the desk's company, for cards without one. */
  readonly vatPercent: MinorUnits | null;
  /** Currency of services that predate currencies: the main company's sale currency. */
  readonly mainCurrency: Currency;
  /** History of an offline sale's rates, price types and client's limits, the latest first. */
  readonly rates: readonly Span<RateSet>[];
  readonly vat: readonly Span<MinorUnits | null>[];
  readonly limits: readonly Span<DebtLimits>[];
  readonly priceTypes: readonly Span<SalePriceType>[];
  /** False if a payment is by bank, and the desk's company does not accept bank payments. */
  readonly takesPayments: boolean;
}

/** References of a body that exist and are open to the caller. */
interface Found {
  readonly desk: Pick<DeskState, 'company_id' | 'type'> | undefined;
  readonly warehouse: Pick<Destination, 'company_id'> | undefined;
  readonly hasClient: boolean;
  readonly hasPriceType: boolean;
}

/**
 * Data that a sale depends on, from one read. It is always complete: if the desk does not exist, an empty
 * one replaces it, so that everything else can still be validated; the issues of `checkContext` prevent the
 * write.
 */
export type SaleContext = Places & Cart;

/**
 * Fields of a sale apart from its context, goods and payments. The ids of its lines are drawn with its cart.
 */
export type SaleHeader = Pick<
  Sale,
  | 'client_id'
  | 'price_type_id'
  | 'hold_id'
  | 'comment'
  | 'source_type'
  | 'source_data'
  | 'key'
  | 'sold_at'
  | 'happened_at'
  | 'sent_by'
  | 'retried_by'
> & {
  readonly ids: {
    readonly sale: number;
    readonly posting: number;
    readonly debt: number;
    /** Entry of the client's deposit. */
    readonly deposit: number;
  };
  readonly maker: Maker;
  readonly at: Instant;
};

/**
 * Reads the context of a sale in one round trip, two if it has bundles, if the client has a bonus tariff, or
 * if the desk belongs to another company than the caller; two more if a product with `min_price_percent` is
 * sold at a price other than its own. Missing references are left to `checkContext`; 400 if a stocktake has
 * closed the warehouse, if the desk needs an open shift, and if their company is deleted.
 */
export async function readSaleContext(actor: Staff, named: Named): Promise<SaleContext> {
  const [places, cart] = await Promise.all([readPlaces(actor, named), readCart(actor.tenant, named)]);
  // Bundles of an offline sale are priced as of its moment, in the sale currency of that time.
  const bundles = named.isOffline
    ? cart.bundles
    : bundlesIn(cart.bundles, places.saleCurrency, places.pricing);
  const services = new Map(
    [...cart.services].map(([id, { currency = places.mainCurrency, ...card }]) => [
      id,
      { ...card, currency },
    ]),
  );
  const basis = { ...places, ...cart, bundles, services };
  const latestCosts = await lastCosts(actor.tenant, productsBargainedFor(named, basis));
  return { ...basis, pricing: { ...places.pricing, latestCosts } };
}

async function readPlaces(actor: Staff, named: Named): Promise<Places> {
  const { tenant, canDiscount } = actor;
  const [[deskItem, money, warehouseItem, clientItem, sumsItem, ...ownTerms], types] = await Promise.all([
    getItems([
      ...deskKeys(actor, named.cashbox_id),
      warehouses.keyOf(actor, named.stock_id),
      keyIfAny(named.client_id, (id) => clients.keyOf(actor, id)),
      keyIfAny(named.client_id, (id) => clientBalancesKey(tenant, id)),
      ...termKeys(tenant, actor.companyId),
      hasServices(named) ? keyOfRates(tenant, actor.familyId) : undefined,
    ]),
    readTypesFor(tenant, named),
  ]);
  const desk = deskIn(actor, [deskItem, money]);
  const warehouse = warehouses.ifVisible(actor, warehouseItem);
  // One batch may return a client from before its deletion, and its balances from after it.
  const sums = clientBalancesIn(sumsItem);
  const client = sums && clients.ifVisible(actor, clientItem);
  for (const place of [desk, warehouse]) if (place) requireTrading(actor, place);
  if (warehouse && !isOfServicesAlone(named)) warehouses.requireNoStocktake(warehouse);
  const typed = priceTypesFor(named.price_type_id, client, types);
  const taken = desk ?? emptyDesk(named.cashbox_id, actor.companyId);
  const { company_id } = taken;
  const [[ratesItem, vatItem], bonusTerms, isTaken] = await Promise.all([
    company_id === actor.companyId ? ownTerms : getItems(termKeys(tenant, company_id)),
    client && bonusTermsOf(tenant, client, company_id),
    takesPayments(actor, taken, named.transactions),
    named.movesMoney === false ? undefined : requireShift(actor, taken),
  ]);
  const { held, ...now } = ratesFrom(ratesItem);
  const vat = vatSpans(vatItem);
  const mainRates = ownTerms.at(-1);
  return {
    found: {
      ...{ desk, warehouse, hasClient: client !== undefined },
      hasPriceType: isPriceTypeKnown(typed),
    },
    saleCurrency: now.saleCurrency,
    desk: taken,
    warehouse: { id: named.stock_id, company_id },
    clientSums: client && sums,
    bonusTerms,
    pricing: {
      ...{ ...pricingOf(now, named), canDiscount, priceType: presentPriceType(typed) },
      canNamePriceType: hasRight(actor, NAME_PRICE_TYPE),
    },
    vatPercent: vat[0]?.value ?? null,
    mainCurrency: mainRates ? ratesFrom(mainRates).saleCurrency : now.saleCurrency,
    ...historyOf(named, {
      rates: () => rateSpans(held),
      vat,
      limits: () => (client ? limitSpans(client) : []),
      priceTypes: () => priceTypeSpans(typed),
    }),
    takesPayments: isTaken,
  };
}

/** Returns the keys of a company's terms of sale: its rates, and its VAT rate. */
function termKeys(tenant: Tenant, companyId: number): Key[] {
  return [keyOfRates(tenant, companyId), keyOfCompanyVat(tenant, companyId)];
}

/** Returns the history that an offline sale depends on; none for another one. */
function historyOf(
  { isOffline }: Named,
  past: {
    rates: () => Places['rates'];
    limits: () => Places['limits'];
    priceTypes: () => Places['priceTypes'];
    vat: Places['vat'];
  },
): Pick<Places, 'rates' | 'limits' | 'priceTypes' | 'vat'> {
  if (!isOffline) return { rates: [], limits: [], priceTypes: [], vat: [] };
  const { rates, limits, priceTypes, vat } = past;
  return { rates: rates(), limits: limits(), priceTypes: priceTypes(), vat };
}

function hasServices({ services = [] }: Pick<RequestedGoods, 'services'>): boolean {
  return services.length > 0;
}

/** Returns whether a sale has services alone: no stock moves then. Part 5, 5A.1, 3. */
function isOfServicesAlone({ products, bundles, setAside = [], ...named }: RequestedGoods): boolean {
  return hasServices(named) && products.length + bundles.length + setAside.length === 0;
}

/**
 * Returns the currency and rates of a sale; an offline sale keeps its own currency, checked as of its time.
 */
function pricingOf(
  { saleCurrency, rates }: RateSet,
  { currency, ownCurrency, isOffline = false }: Named,
): Omit<Pricing, 'canDiscount'> {
  const isOwn = isOffline && currency && ownCurrency === undefined;
  const areNamed = isOffline && { areNamed: true };
  return { currency: isOwn ? currency : (ownCurrency ?? saleCurrency), rates, ...areNamed };
}

/** Returns the desk that replaces a missing one. */
function emptyDesk(id: number, company_id: number): DeskState {
  return { id, company_id, type: 'main', money: NO_MONEY };
}

/**
 * Validates that desk, warehouse, client and price type exist and fit together, and that the currency is the
 * sale's.
 */
export function checkContext(
  { client_id, currency, stockPath = 'stock_id' }: Pick<Named, 'client_id' | 'currency' | 'stockPath'>,
  { found: { desk, warehouse, hasClient, hasPriceType }, pricing }: Pick<SaleContext, 'found' | 'pricing'>,
  issues: ValidationIssues,
): void {
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add(stockPath, 'validation.not_found');
  if (client_id !== null && !hasClient) issues.add('client_id', 'validation.not_found');
  if (!hasPriceType) issues.add('price_type_id', 'validation.not_found');
  if (desk && warehouse && warehouse.company_id !== desk.company_id) {
    issues.add(stockPath, 'sale.other_company');
  }
  if (desk && currency !== undefined && currency !== pricing.currency) {
    issues.add('currency', otherCurrency(pricing.currency));
  }
}

/** Returns the message that sales are in another currency. */
export function otherCurrency(currency: Currency): MessageDescriptor {
  return { key: 'sale.other_currency', with: { currency } };
}
