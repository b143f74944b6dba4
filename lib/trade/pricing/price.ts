import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { ProductCard } from '#lib/catalog/card.ts';
import { floorOf, isFloorByCost, type LatestCost } from '#lib/catalog/floor.ts';
import { cardSpans } from '#lib/catalog/price.ts';
import type { ServiceCard } from '#lib/catalog/service/service.ts';
import { priceByType } from '#lib/catalog/type-prices.ts';
import type { Deletable } from '#lib/records/stored.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { type Currency, convertAmount, type MinorUnits, type Rates } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** A product's card. */
export type ProductForSale = z.input<typeof ProductCard>;

/** Held goods at one price. */
export interface HeldGoodsPrice {
  readonly price: MinorUnits;
  readonly quantity: number;
}

/** Held bundles with one key, and the contents of one of them by product. */
export interface HeldBundles extends HeldGoodsPrice {
  readonly contents: ReadonlyMap<number, Units>;
}

/** Held prices of a hold's goods: single products, and bundles. Contract 9.2. */
export interface HeldPrices {
  readonly products: ReadonlyMap<number, HeldGoodsPrice>;
  readonly bundles: ReadonlyMap<number, readonly HeldBundles[]>;
  /** True if goods are added to the hold: all at its prices, and none of them held yet. */
  readonly areAdded: boolean;
}

/** Price type by which a sale is priced. Part 5, 5A.14, 2. */
export interface SalePriceType {
  /** Null for the sale prices. */
  readonly id: number | null;
  /** True if it is the client's, or none; another needs a right. */
  readonly isClients: boolean;
}

/** Terms that lines are priced by. */
export interface Pricing {
  readonly currency: Currency;
  readonly rates: Rates;
  readonly canDiscount: boolean;
  /** Price type of the products; their sale prices apply without one. */
  readonly priceType?: SalePriceType;
  readonly canNamePriceType?: boolean;
  /** Held prices of the hold that is sold or extended. */
  readonly promised?: HeldPrices;
  /** True for an offline sale, which must state its prices. */
  readonly areNamed?: boolean;
  /** True if prices and discounts are accepted as sent. Part 4, 4.4, 5. */
  readonly areAccepted?: boolean;
  /** Latest costs of products with a minimum percent, as far as a price needs them. */
  readonly latestCosts?: ReadonlyMap<number, LatestCost>;
}

/** Cards and bundles as read, including deleted ones, and the pricing terms. */
export interface Offers {
  readonly products: ReadonlyMap<number, ProductForSale>;
  readonly bundles: ReadonlyMap<number, z.input<typeof Bundle>>;
  readonly services: ReadonlyMap<number, ServiceCard>;
  /** VAT rate of cards without one, in hundredths of a percent. Part 5, 5A.2, 1. */
  readonly vatPercent: MinorUnits | null;
  readonly pricing: Pricing;
}

/** Offers of goods alone. */
export type GoodsOffers = Pick<Offers, 'products' | 'bundles' | 'pricing'>;

/** Part of a body, with its path. */
export type WithBodyPath<T> = T & { readonly path: string };

/** Product in a body; without a price it has its own. */
export interface RequestedProduct {
  readonly product_id: number;
  readonly sold_quantity: Units;
  readonly price?: MinorUnits | undefined;
  readonly discount: MinorUnits;
}

/** Bundles in a body; without a price they have their own. */
export interface RequestedBundle {
  readonly bundle_id: number;
  readonly quantity: number;
  readonly price?: MinorUnits | undefined;
  readonly discount: MinorUnits;
}

/** Line of a sale before its goods are taken. */
export interface PricedLine {
  readonly product_id: number;
  readonly bundle_id: number | null;
  /** Common to all lines of a bundle. */
  readonly bundle_key: string | null;
  readonly bundle_quantity: number | null;
  readonly sold_quantity: Units;
  readonly price: MinorUnits;
  readonly discount: MinorUnits;
  readonly amount: MinorUnits;
  /** Paths of its price and quantity in the body. */
  readonly pricePath: string;
  readonly quantityPath: string;
}

/** Returns true for a single product, false for a part of a bundle. */
export function isSingle({ bundle_key }: Pick<PricedLine, 'bundle_key'>): boolean {
  return bundle_key === null;
}

/** Returns a card or bundle if it can be sold: not deleted, or on hold in full. Contract 9.1. */
export function ifForSale<T extends Deletable>(offer: T | undefined, isHeld = false): T | undefined {
  return offer?.is_deleted && !isHeld ? undefined : offer;
}

/** Prices of a product in the currency of the sale. */
export interface ProductPrices {
  readonly own: MinorUnits;
  /** Minimum price. */
  readonly least: MinorUnits;
  /** True if it reveals the product's cost. */
  readonly isByCost?: boolean;
}

/**
 * Returns a product's own and minimum price in the currency of the sale. Undefined if the currency of the
 * product or of its latest cost has no rate, which goes to `issues`.
 */
export function pricesOf(
  card: ProductForSale,
  pricing: Pricing,
  pricePath: string,
  issues: ValidationIssues,
): ProductPrices | undefined {
  const { currency, rates, latestCosts } = pricing;
  const own = ownPrice(card, pricing);
  const latest = latestCosts?.get(card.id);
  const least = floorOf(card, latest, { currency, rates });
  if (own !== undefined && least !== undefined)
    return { own, least, isByCost: isFloorByCost(card, latest, { currency, rates }) };
  const { currency: priced } = priceByType(card, typeIdOf(pricing));
  const used = own === undefined ? [priced] : [card.sale_currency, latest?.currency ?? card.sale_currency];
  issues.add(pricePath, missingRateMessage(used.find((each) => rates[each] === 0) ?? priced));
  return undefined;
}

/** Converts a product's own price: that by the price type of the sale, or its sale price. */
function ownPrice(card: ProductForSale, pricing: Pricing): MinorUnits | undefined {
  const { price, currency } = priceByType(card, typeIdOf(pricing));
  return convertAmount(price, pricing.rates[currency], pricing.rates[pricing.currency]);
}

/** Returns the id of the price type that a sale is priced by; null without one. */
export function typeIdOf({ priceType }: Pricing): number | null {
  return priceType?.id ?? null;
}

/** Returns true if a hold has all of a requested product. */
export function isHeldWhole(
  { product_id, sold_quantity }: Pick<RequestedProduct, 'product_id' | 'sold_quantity'>,
  promised: HeldPrices | undefined,
): boolean {
  return sold_quantity <= (promised?.products.get(product_id)?.quantity ?? 0);
}

/** Requires a part of an offline sale to state its price. */
export function requireNamed(
  { path, price }: WithBodyPath<Pick<RequestedProduct, 'price'>>,
  { areNamed }: Pricing,
  issues: ValidationIssues,
): void {
  if (areNamed && price === undefined) issues.add(`${path}.price`, 'validation.required');
}

/** Returns the message for a price or cost in a currency without a rate. Contract 8. */
export function missingRateMessage(currency: Currency): MessageDescriptor {
  return { key: 'rate.missing', with: { currency } };
}

/**
 * Returns a collector for issues of prices, which depend on the rates of the desk's company, and the
 * currency.
 */
export function collectPriceIssues(issues: ValidationIssues): ValidationIssues {
  return issues.unless('cashbox_id', 'currency');
}

/** Returns a collector for issues of prices and discounts: a discarded one if they are accepted as sent. */
export function unlessAccepted(
  { areAccepted }: Pick<Pricing, 'areAccepted'>,
  issues: ValidationIssues,
): ValidationIssues {
  return areAccepted ? new ValidationIssues() : issues;
}

/** Part of a body that may state a price other than its own. */
interface Bargain {
  readonly price?: MinorUnits | undefined;
  readonly discount?: MinorUnits | undefined;
}

/** Goods in a body. */
interface BargainGoods {
  /** Discount of the whole sale. */
  readonly discount?: unknown;
  readonly products: readonly (Bargain & { readonly product_id: number })[];
  readonly bundles: readonly (Bargain & { readonly bundle_id: number })[];
}

/**
 * Lists the products whose latest cost a body needs: those with a minimum percent, single or in a bundle,
 * with a discount or a price other than their own. The own price has no minimum, so most sales need none.
 * For an offline sale past prices apply, so it needs all products that ever had a percent. Contract 9.107.
 */
export function productsBargainedFor(requested: BargainGoods, offers: Offers): number[] {
  const { products, pricing } = offers;
  if (pricing.areNamed) return [...products.values()].filter(everHadPercent).map(({ id }) => id);
  if (requested.discount) return [...products.values()].filter(hasPercent).map(({ id }) => id);
  const withPercent = (id: number) => (products.get(id)?.min_price_percent ?? null) !== null;
  return productsAtOtherPrices(requested, offers).filter(withPercent);
}

function hasPercent({ min_price_percent }: ProductForSale): boolean {
  return min_price_percent !== null;
}

function everHadPercent(card: ProductForSale): boolean {
  return cardSpans(card).some(({ value }) => value.min_price_percent !== null);
}

function productsAtOtherPrices({ products, bundles }: BargainGoods, offers: Offers): number[] {
  const single = products
    .filter((requested) => {
      const card = offers.products.get(requested.product_id);
      return isBargained(requested, card && ownPrice(card, offers.pricing));
    })
    .map(({ product_id }) => product_id);
  const bundled = bundles.flatMap((requested) => {
    const bundle = offers.bundles.get(requested.bundle_id);
    if (!bundle || !isBargained(requested, bundle.price)) return [];
    return bundle.products.map(({ product_id }) => product_id);
  });
  return [...new Set([...single, ...bundled])];
}

function isBargained({ price, discount = 0 }: Bargain, own: MinorUnits | undefined): boolean {
  return discount > 0 || (price !== undefined && price !== own);
}
