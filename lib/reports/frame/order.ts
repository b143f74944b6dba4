import { Currency } from '#lib/values/money.ts';

/** Orders rows by their currencies, in the order that these have everywhere. */
export function inOrderOfCurrency(
  one: { readonly currency: Currency },
  other: { readonly currency: Currency },
): number {
  return Currency.options.indexOf(one.currency) - Currency.options.indexOf(other.currency);
}

/** Orders rows by their ids, what has none last. */
export function inOrderOfId(
  one: { readonly key: number | string | null },
  other: { readonly key: number | string | null },
): number {
  return Number(one.key ?? Number.MAX_SAFE_INTEGER) - Number(other.key ?? Number.MAX_SAFE_INTEGER);
}
