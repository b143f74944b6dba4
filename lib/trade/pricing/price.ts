import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { ProductCard } from '#lib/catalog/card.ts';
import { floorOf, type LatestCost } from '#lib/catalog/floor.ts';
import type { Deletable } from '#lib/records/stored.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { type Currency, convertAmount, type MinorUnits, type Rates } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** A product's card. */
export type ProductForSale = z.input<typeof ProductCard>;

/** Goods of a hold at one price. */
export interface HeldGoodsPrice {
  readonly price: MinorUnits;
  readonly quantity: number;
}

/** Bundles that a hold has under one key, and what one of them is made of, by product. */
export interface HeldBundles extends HeldGoodsPrice {
  readonly contents: ReadonlyMap<number, Units>;
}

/** Prices that a hold's goods were promised at: products by themselves, and bundles. Contract 9.2. */
export interface HeldPrices {
  readonly products: ReadonlyMap<number, HeldGoodsPrice>;
  readonly bundles: ReadonlyMap<number, readonly HeldBundles[]>;
  /** Set if goods are added to the hold: they are all at its prices, and it has none of them yet. */
  readonly areAdded: boolean;
}

/** What lines are priced by. */
export interface Pricing {
  readonly currency: Currency;
  readonly rates: Rates;
  readonly canDiscount: boolean;
  /** What the hold that is sold or added to has promised. */
  readonly promised?: HeldPrices;
  /** Set for a late sale: nobody knows any more which price was meant, so it names them. */
  readonly areNamed?: boolean;
  /** Set if somebody takes prices and discounts as they were sent. Part 4, 4.4, 5. */
  readonly areAccepted?: boolean;
  /** What the newest goods of products with a percent had cost, as far as a price asks for it. */
  readonly latestCosts?: ReadonlyMap<number, LatestCost>;
}

/** Cards and bundles as they were read, deleted ones too, and what lines are priced by. */
export interface Offers {
  readonly products: ReadonlyMap<number, ProductForSale>;
  readonly bundles: ReadonlyMap<number, z.input<typeof Bundle>>;
  readonly pricing: Pricing;
}

/** A part of a body and its path in it. */
export type WithBodyPath<T> = T & { readonly path: string };

/** A product that a body asks for; at its own price if it names none. */
export interface RequestedProduct {
  readonly product_id: number;
  readonly sold_quantity: Units;
  readonly price?: MinorUnits | undefined;
  readonly discount: MinorUnits;
}

/** Bundles that a body asks for; at their own price if it names none. */
export interface RequestedBundle {
  readonly bundle_id: number;
  readonly quantity: number;
  readonly price?: MinorUnits | undefined;
  readonly discount: MinorUnits;
}

/** A line of a cheque before its goods are taken. */
export interface PricedLine {
  readonly product_id: number;
  readonly bundle_id: number | null;
  /** One value for all lines of a bundle. */
  readonly bundle_key: string | null;
  readonly bundle_quantity: number | null;
  readonly sold_quantity: Units;
  readonly price: MinorUnits;
  readonly discount: MinorUnits;
  readonly amount: MinorUnits;
  /** The paths of its price and its quantity in the body. */
  readonly pricePath: string;
  readonly quantityPath: string;
}

/** Tells a product by itself from a part of a bundle. */
export function isSingle({ bundle_key }: Pick<PricedLine, 'bundle_key'>): boolean {
  return bundle_key === null;
}

/**
 * Gives a card or a bundle if it may be sold: one that is not deleted, or that a hold has as many of.
 * Contract 9.1.
 */
export function ifForSale<T extends Deletable>(offer: T | undefined, isHeld = false): T | undefined {
  return offer?.is_deleted && !isHeld ? undefined : offer;
}

/** A product's prices, in the cheque's currency. */
export interface ProductPrices {
  readonly own: MinorUnits;
  /** Below this it may not be sold. */
  readonly least: MinorUnits;
}

/**
 * Gives a product's own price and the least it may be sold for, in the cheque's currency. Undefined if the
 * company has no rate of the product's, or of its latest cost's, which goes to `problems`.
 */
export function pricesOf(
  card: ProductForSale,
  { currency, rates, latestCosts }: Pricing,
  pricePath: string,
  issues: ValidationIssues,
): ProductPrices | undefined {
  const { sale_price, sale_currency } = card;
  const own = convertAmount(sale_price, rates[sale_currency], rates[currency]);
  const latest = latestCosts?.get(card.id);
  const least = floorOf(card, latest, { currency, rates });
  if (own !== undefined && least !== undefined) return { own, least };
  issues.add(
    pricePath,
    missingRateMessage(own === undefined ? sale_currency : (latest?.currency ?? sale_currency)),
  );
  return undefined;
}

/** Tells whether a hold has all that a body asks for of a product. */
export function isHeldWhole(
  { product_id, sold_quantity }: Pick<RequestedProduct, 'product_id' | 'sold_quantity'>,
  promised: HeldPrices | undefined,
): boolean {
  return sold_quantity <= (promised?.products.get(product_id)?.quantity ?? 0);
}

/** Requires a part of a late sale to name its price. */
export function requireNamed(
  { path, price }: WithBodyPath<Pick<RequestedProduct, 'price'>>,
  { areNamed }: Pricing,
  issues: ValidationIssues,
): void {
  if (areNamed && price === undefined) issues.add(`${path}.price`, 'validation.required');
}

/** Makes the message for a line whose price or cost is in a currency without a rate. Contract 8. */
export function missingRateMessage(currency: Currency): MessageDescriptor {
  return { key: 'rate.missing', with: { currency } };
}

/**
 * Collects problems of a body's prices. These rest on the desk, whose company's rates they are judged by, and
 * on the currency that they are in.
 */
export function collectPriceIssues(issues: ValidationIssues): ValidationIssues {
  return issues.unless('cashbox_id', 'currency');
}

/** Collects problems of prices and discounts that somebody may take as they are: without readers if so. */
export function unlessAccepted({ areAccepted }: Pricing, issues: ValidationIssues): ValidationIssues {
  return areAccepted ? new ValidationIssues() : issues;
}
