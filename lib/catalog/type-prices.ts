import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { distinct, Id } from '#lib/values/fields.ts';
import { amount, Currency, type MinorUnits, Money } from '#lib/values/money.ts';

/*
 * Prices of a product by price type: each takes the place of its `sale_price` in sales by the type.
 * Part 5, 5A.14, 2.
 */

/** As many as a family has price types, so a card with its past prices fits in an item. */
const MAX_PRICES = 10;

const PRICE = 'Price by the type, per unit, not below the minimum price.';

/** Price of a product by a price type. */
export const TypePrice = z.object({
  price_type_id: z.int(),
  price: Money.describe(PRICE),
  currency: Currency,
});

export type TypePrice = z.input<typeof TypePrice>;

/** Field of a card; cards stored before it have none. */
export const typePriceFields = { prices: z.array(TypePrice).default([]) };

/** Field of its form. An absent one, as in forms that predate it, leaves the prices unchanged. */
export const typePriceInput = {
  prices: distinct(
    'price_type_id',
    z
      .array(z.object({ price_type_id: Id, price: amount(0.01).describe(PRICE), currency: Currency }))
      .max(MAX_PRICES),
  )
    .nullish()
    .transform((list) => (list === null ? [] : list)),
};

/** Prices of a card. */
export interface PricedByType {
  readonly prices?: readonly TypePrice[] | undefined;
}

/** Price of a card by a type before and after a change; null without one. */
export interface TypePriceChange {
  readonly price_type_id: number;
  readonly before: TypePrice | null;
  readonly after: TypePrice | null;
}

/** Returns the price of a card by a type; undefined if it has none. */
export function typePriceOf({ prices = [] }: PricedByType, typeId: number | null): TypePrice | undefined {
  return prices.find(({ price_type_id }) => price_type_id === typeId);
}

/** Returns the price for which a card is sold by a type: its price by the type, or else its `sale_price`. */
export function priceByType(
  card: PricedByType & { readonly sale_price: MinorUnits; readonly sale_currency: Currency },
  typeId: number | null,
): Pick<TypePrice, 'price' | 'currency'> {
  return typePriceOf(card, typeId) ?? { price: card.sale_price, currency: card.sale_currency };
}

/**
 * Returns the prices with one by a type set. If they are more than a card may have, those by deleted types
 * are left out, because they count as none.
 */
export function withTypePrice(
  prices: readonly TypePrice[] | undefined = [],
  price: TypePrice,
  isLive: (typeId: number) => boolean,
): TypePrice[] {
  const isSame = ({ price_type_id }: TypePrice) => price_type_id === price.price_type_id;
  const all = prices.some(isSame) ? prices.map((each) => (isSame(each) ? price : each)) : [...prices, price];
  return all.length > MAX_PRICES ? all.filter(({ price_type_id }) => isLive(price_type_id)) : all;
}

/** Lists the types by which a card is priced differently after a change. */
export function typePriceChanges(before: PricedByType | undefined, after: PricedByType): TypePriceChange[] {
  const all = [...(before?.prices ?? []), ...(after.prices ?? [])];
  return [...new Set(all.map(({ price_type_id }) => price_type_id))].flatMap((price_type_id) => {
    const was = typePriceOf(before ?? {}, price_type_id) ?? null;
    const is = typePriceOf(after, price_type_id) ?? null;
    return isDeepStrictEqual(was, is) ? [] : [{ price_type_id, before: was, after: is }];
  });
}
