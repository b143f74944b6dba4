import { type Maker, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { type DeskState, deskIn, deskKeys, requireShift, takesPayments } from '#lib/cash/desk/read.ts';
import { type RateSet, rateSpans } from '#lib/cash/rate-history.ts';
import { bonusTermsOf } from '#lib/clients/bonus-terms.ts';
import type { BonusTerms } from '#lib/clients/bonuses.ts';
import * as clients from '#lib/clients/client.ts';
import { type ClientBalances, clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { type DebtLimits, limitSpans } from '#lib/clients/debt-limits.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import { lastCosts } from '#lib/stock/last-cost.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { keyIfAny } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { productsBargainedFor } from '#lib/trade/pricing/bargain.ts';
import type { Pricing } from '#lib/trade/pricing/price.ts';
import { bundlesIn } from '#lib/trade/pricing/sale-currency.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Span } from '#lib/values/value-history.ts';
import { type Cart, type RequestedGoods, readCart } from './cart.ts';
import type { SaleInput } from './input.ts';
import type { Sale } from './record.ts';

/** Whatever a body names that a cheque rests on. */
type Named = RequestedGoods &
  Pick<SaleInput, 'cashbox_id' | 'client_id'> & {
    readonly currency?: Currency | undefined;
    /** Currency of the cheque or hold that this is a part of, whatever sales are in. Contract 9.115. */
    readonly ownCurrency?: Currency | undefined;
    /** What is paid, if a body says so. */
    readonly transactions?: readonly { readonly payment_type: string }[];
    /** False for what moves no money: then the desk needs no open shift. Contract 9.7. */
    readonly movesMoney?: boolean;
    /** Tells of a warehouse that is not the desk's: the desk's own path if the body names no warehouse. */
    readonly stockPath?: string;
  };

/** Who sells, from where, to whom and by which rates. */
interface Places {
  readonly desk: DeskState;
  readonly warehouse: Destination;
  /** What the client has and owes; undefined without one. */
  readonly clientSums: ClientBalances | undefined;
  /** What the client earns by; undefined without a bonus tariff. */
  readonly bonusTerms: BonusTerms | undefined;
  readonly pricing: Pricing;
  /** Past and present of a late sale's rates and of its client's limits, the present first. */
  readonly rates: readonly Span<RateSet>[];
  readonly limits: readonly Span<DebtLimits>[];
  /** False if something is paid by bank, and the desk's company takes nothing by it. */
  readonly takesPayments: boolean;
}

/** Records of the places, if they are there and open to the caller. */
interface Visible {
  readonly desk: DeskState | undefined;
  readonly warehouse: ReturnType<typeof warehouses.ifVisible>;
  readonly client: ReturnType<typeof clients.ifVisible>;
}

/**
 * Everything a cheque rests on, as it was read at one moment. It is always complete: if the desk does not
 * exist, an empty one stands in, so that the rest can still be judged; `problems` prevent the write.
 */
export type SaleContext = Places & Cart;

/**
 * What a cheque is made with, besides what it rests on, its goods and its payments. The ids of its lines are
 * drawn with its cart.
 */
export type SaleHeader = Pick<
  Sale,
  | 'client_id'
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
  readonly ids: { readonly sale: number; readonly posting: number; readonly debt: number };
  readonly maker: Maker;
  readonly at: Instant;
};

/**
 * Reads what a cheque rests on in one round trip, two if it has bundles, if the client has a bonus tariff, or
 * if the desk is another company's than the caller's; two more if a product with `min_price_percent` goes for
 * another price than its own. What is not there, or not open to the caller, goes to
 * `problems`; 400 if a count has closed the warehouse, if the desk needs a shift that is not open, and if
 * their company is deleted.
 */
export async function readSaleContext(
  actor: Staff,
  named: Named,
  issues: ValidationIssues,
): Promise<SaleContext> {
  const [{ saleCurrency, ...places }, cart] = await Promise.all([
    readPlaces(actor, named, issues),
    readCart(actor.tenant, named),
  ]);
  // Those of a late sale are what they were at its moment, in the sale currency of then.
  const bundles = named.isOffline ? cart.bundles : bundlesIn(cart.bundles, saleCurrency, places.pricing);
  const basis = { ...places, ...cart, bundles };
  const latestCosts = await lastCosts(actor.tenant, productsBargainedFor(named, basis));
  return { ...basis, pricing: { ...places.pricing, latestCosts } };
}

async function readPlaces(
  actor: Staff,
  named: Named,
  issues: ValidationIssues,
): Promise<Places & { readonly saleCurrency: Currency }> {
  const { tenant, canDiscount } = actor;
  const [deskItem, money, warehouseItem, clientItem, ownRates, sumsItem] = await getItems([
    ...deskKeys(actor, named.cashbox_id),
    warehouses.keyOf(actor, named.stock_id),
    keyIfAny(named.client_id, (id) => clients.keyOf(actor, id)),
    keyOfRates(tenant, actor.companyId),
    keyIfAny(named.client_id, (id) => clientBalancesKey(tenant, id)),
  ]);
  const desk = deskIn(actor, [deskItem, money]);
  const warehouse = warehouses.ifVisible(actor, warehouseItem);
  // One batch may find a client as it was before a deletion, and the sums as they are after it.
  const sums = clientBalancesIn(sumsItem);
  const client = sums && clients.ifVisible(actor, clientItem);
  for (const place of [desk, warehouse]) if (place) requireTrading(actor, place);
  checkPlaces(named, { desk, warehouse, client }, issues);
  const taken = desk ?? emptyDesk(named.cashbox_id, actor.companyId);
  const { company_id } = taken;
  const [ratesItem, bonusTerms, isTaken] = await Promise.all([
    company_id === actor.companyId ? ownRates : getItem(keyOfRates(tenant, company_id)),
    client && bonusTermsOf(tenant, client, company_id),
    takesPayments(actor, taken, named.transactions),
    named.movesMoney === false ? undefined : requireShift(actor, taken),
  ]);
  const { held, ...now } = ratesFrom(ratesItem);
  return {
    desk: taken,
    warehouse: { id: named.stock_id, company_id },
    clientSums: client && sums,
    bonusTerms,
    pricing: { ...pricingOf(now, named, desk && issues), canDiscount },
    rates: named.isOffline ? rateSpans(held) : [],
    limits: named.isOffline && client ? limitSpans(client) : [],
    saleCurrency: now.saleCurrency,
    takesPayments: isTaken,
  };
}

/**
 * Gives what a cheque is priced by. A currency that the company doesn't sell in goes to `problems`, if there
 * is anybody to tell; of a late sale, that is asked of its time.
 */
function pricingOf(
  { saleCurrency, rates }: RateSet,
  { currency, ownCurrency, isOffline = false }: Named,
  issues: ValidationIssues | undefined,
): Omit<Pricing, 'canDiscount'> {
  const own = ownCurrency ?? saleCurrency;
  const areNamed = isOffline && { areNamed: true };
  if (isOffline && currency && ownCurrency === undefined) return { currency, rates, ...areNamed };
  if (currency !== undefined && currency !== own) issues?.add('currency', otherCurrency(own));
  return { currency: own, rates, ...areNamed };
}

/** Says that sales are in another currency. */
export function otherCurrency(currency: Currency): MessageDescriptor {
  return { key: 'sale.other_currency', with: { currency } };
}

/** Makes the desk that stands in for one that is not there. */
function emptyDesk(id: number, company_id: number): DeskState {
  return { id, company_id, type: 'main', money: NO_MONEY };
}

/** Judges what is there of the places that a body names. 400 if a count has closed the warehouse. */
function checkPlaces(
  { client_id, stockPath = 'stock_id' }: Named,
  { desk, warehouse, client }: Visible,
  issues: ValidationIssues,
): void {
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add(stockPath, 'validation.not_found');
  else warehouses.requireNoStocktake(warehouse);
  if (client_id !== null && !client) issues.add('client_id', 'validation.not_found');
  if (desk && warehouse && warehouse.company_id !== desk.company_id) {
    issues.add(stockPath, 'sale.other_company');
  }
}
