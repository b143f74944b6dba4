import { Currency } from '#lib/values/money.ts';

/** Compares rows by currency, in the order of the currency list. */
export function inOrderOfCurrency(
  one: { readonly currency: Currency },
  other: { readonly currency: Currency },
): number {
  return Currency.options.indexOf(one.currency) - Currency.options.indexOf(other.currency);
}

/** Compares rows by id, those without one last. */
export function inOrderOfId(
  one: { readonly key: number | string | null },
  other: { readonly key: number | string | null },
): number {
  return Number(one.key ?? Number.MAX_SAFE_INTEGER) - Number(other.key ?? Number.MAX_SAFE_INTEGER);
}

/** Compares rows by key: ids by number, days and months by time. */
export function inOrderOfKey(
  { key: one }: { readonly key: number | string | null },
  { key: other }: { readonly key: number | string | null },
): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(one !== other);
}
