import type * as z from 'zod';
import type { Bundle as Bundled } from '#lib/catalog/bundle.ts';
import { type Currency, convertAmount } from '#lib/values/money.ts';
import type { Offers, Pricing } from './price.ts';

type Bundle = z.input<typeof Bundled>;

/** Converts the prices of bundles, which are in the sale currency; without a rate there is nothing to pay. */
export function bundlesIn(
  bundles: Offers['bundles'],
  saleCurrency: Currency,
  pricing: Pricing,
): Offers['bundles'] {
  return new Map(
    [...bundles].flatMap(([id, bundle]) => {
      const converted = bundleIn(bundle, saleCurrency, pricing);
      return converted ? [[id, converted] as const] : [];
    }),
  );
}

/** Converts the price of a bundle in the same way; undefined without a rate. */
export function bundleIn(
  bundle: Bundle,
  saleCurrency: Currency,
  { currency, rates }: Pricing,
): Bundle | undefined {
  if (currency === saleCurrency) return bundle;
  const price = convertAmount(bundle.price, rates[saleCurrency], rates[currency]);
  return price === undefined ? undefined : { ...bundle, price };
}
