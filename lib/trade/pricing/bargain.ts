import { cardSpans } from '#lib/catalog/price.ts';
import { convertAmount, type MinorUnits } from '#lib/values/money.ts';
import type { Offers, ProductForSale } from './price.ts';

/** A part of a body that may ask for another price than its own. */
interface Asked {
  readonly price?: MinorUnits | undefined;
  readonly discount?: MinorUnits | undefined;
}

/** Goods that a body asks for. */
interface AskedGoods {
  readonly products: readonly (Asked & { readonly product_id: number })[];
  readonly bundles: readonly (Asked & { readonly bundle_id: number })[];
}

/**
 * Lists the products whose latest cost a body asks for: those with a percent, by themselves or in a bundle,
 * for which it names another price than their own, or a discount. What is sold at its own price has no floor,
 * so most sales ask for none. A late sale is judged by other prices than those of now: all that had a percent
 * may have a floor. Contract 9.107.
 */
export function productsBargainedFor(asked: AskedGoods, offers: Offers): number[] {
  const { products, pricing } = offers;
  if (pricing.areNamed) return [...products.values()].filter(everHadPercent).map(({ id }) => id);
  const withPercent = (id: number) => (products.get(id)?.min_price_percent ?? null) !== null;
  return productsAtOtherPrices(asked, offers).filter(withPercent);
}

function everHadPercent(card: ProductForSale): boolean {
  return cardSpans(card).some(({ value }) => value.min_price_percent !== null);
}

function productsAtOtherPrices({ products, bundles }: AskedGoods, offers: Offers): number[] {
  const single = products
    .filter((asked) => isBargained(asked, ownPrice(offers.products.get(asked.product_id), offers)))
    .map(({ product_id }) => product_id);
  const bundled = bundles.flatMap((asked) => {
    const bundle = offers.bundles.get(asked.bundle_id);
    if (!bundle || !isBargained(asked, bundle.price)) return [];
    return bundle.products.map(({ product_id }) => product_id);
  });
  return [...new Set([...single, ...bundled])];
}

function isBargained({ price, discount = 0 }: Asked, own: MinorUnits | undefined): boolean {
  return discount > 0 || (price !== undefined && price !== own);
}

function ownPrice(card: ProductForSale | undefined, { pricing: { currency, rates } }: Offers) {
  return card && convertAmount(card.sale_price, rates[card.sale_currency], rates[currency]);
}
